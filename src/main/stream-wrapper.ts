/** The stream wrapper of the command line: its order from a file. */
import { readStreamOrder } from "../formats/stream-wrapper/index.ts";
import { runStream, type WrapperEnd, type WrapperWorld } from "../sites/stream/index.ts";

/** Runs the stream of an order in a file. @throws Fault where it cannot go on */
export async function streamWrapper(orderFile: string, world: WrapperWorld): Promise<WrapperEnd> {
  return runStream(await readStreamOrder(orderFile), world);
}
