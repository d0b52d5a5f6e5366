/** The order of a wrapper, as it is read from its file. */
import type { Read, streamWrapperShape } from "../../contract/files/index.ts";

/** What a wrapper is to do. */
export type StreamOrder = Read<typeof streamWrapperShape>;
