/** Reads the orders of a stream wrapper: that of its start, and those while it runs. */
import { dirname, resolve } from "node:path";
import { type Read, streamControlShape, streamWrapperShape } from "../../contract/files/index.ts";
import { fileState, readDocument, readWholeFile } from "../yaml/index.ts";

type StreamOrder = Read<typeof streamWrapperShape>;

/** Order of a wrapper, from a file. @throws Fault with the place of what is wrong */
export function readStreamOrder(path: string): Promise<StreamOrder> {
  return readWholeFile(path, (text) => {
    const { said, problems } = readDocument(text, streamWrapperShape, {
      noun: "the order of a stream wrapper",
      example: '{"stream": "run7", …}',
      surroundings: { folder: dirname(resolve(path)), fileState },
    });
    return { said, problems: problems() };
  });
}

/** Orders for a wrapper that runs; undefined for a text that is none, such as half of one. */
export function readStreamControl(text: string): Read<typeof streamControlShape> | undefined {
  const { said, problems } = readDocument(text, streamControlShape, {
    noun: "the control file of a stream",
    example: '{"serial": 1, "bytesPerSec": 1000000}',
  });
  return problems().length === 0 ? said : undefined;
}
