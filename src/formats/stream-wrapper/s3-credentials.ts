/**
 * Reads the keys of an S3 store from a file that only its owner can read. What is in the file is never part
 * of a message: a mistake is told by its place.
 */
import { open } from "node:fs/promises";
import { Fault } from "../../base/index.ts";
import { type Read, s3CredentialsShape } from "../../contract/files/index.ts";
import { readDocument } from "../yaml/index.ts";

/** Keys of a store, and where it is. */
export type S3Credentials = Read<typeof s3CredentialsShape>;

const FOR_OTHERS = 0o077;
const MOST_BYTES = 65_536;

/** @throws Fault where there is no such file, others may read it, or something in it is wrong */
export async function readS3Credentials(path: string): Promise<S3Credentials> {
  const text = await readPrivate(path);
  const { said, problems } = readDocument(text, s3CredentialsShape, {
    noun: "the credentials of a store",
    example: '{"endpoint": "https://…", "accessKey": "…", "secretKey": "…"}',
  });
  const [problem] = problems();
  if (problem === undefined && said !== undefined) return said;
  const place = problem === undefined ? "" : `line ${problem.line}, column ${problem.column}: `;
  throw unusable(path, {
    why: `${place}endpoint, accessKey and secretKey are needed; region, style and sessionToken may be there`,
    remedy: "write one `word: value` a line; endpoint is the address of the store without a bucket",
  });
}

async function readPrivate(path: string): Promise<string> {
  const file = await open(path, "r").catch((cause: NodeJS.ErrnoException) => {
    throw unusable(path, { why: cause.code ?? cause.message, remedy: "name a file of the stream's owner" });
  });
  try {
    const { mode, size } = await file.stat();
    if ((mode & FOR_OTHERS) !== 0) {
      throw unusable(path, { why: "other users can read or change it", remedy: `chmod 600 ${path}` });
    }
    if (size <= MOST_BYTES) return await file.readFile("utf8");
    throw unusable(path, { why: `it has more than ${MOST_BYTES} bytes`, remedy: "name the right file" });
  } finally {
    await file.close();
  }
}

function unusable(path: string, { why, remedy }: { readonly why: string; readonly remedy: string }): Fault {
  const what = `the credentials in ${path} cannot be used`;
  return new Fault({ kind: "badInput", code: "credentialsUnusable", what, why, remedy });
}
