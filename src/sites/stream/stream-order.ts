/** The order of a wrapper, as it is read from its file. */
import type { Read, streamWrapperShape } from "../../contract/files/index.ts";

/** Instructions for a wrapper. */
export type StreamOrder = Read<typeof streamWrapperShape>;
