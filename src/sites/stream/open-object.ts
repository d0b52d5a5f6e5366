/**
 * Addresses an object of a store that speaks S3: `s3://BUCKET/KEY`, with keys from the file of credentials.
 *
 * The file is read for each request, so that keys for a while can be replaced. What is signed goes to the
 * endpoint of that file and nowhere else: no redirection is followed with a signature.
 */
import { Fault } from "../../base/index.ts";
import { readS3Credentials } from "../../formats/stream-wrapper/index.ts";
import { encodedKey, signedHeaders } from "./aws-signature.ts";
import { SourceProblem } from "./source-problem.ts";

/** An object, as it is requested. */
interface ObjectRequest {
  /** Origin of the store. */
  readonly address: URL;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @throws SourceProblem where the address or its credentials cannot be used */
export async function objectRequest(
  href: string,
  { credentials, range, at }: { readonly credentials?: string; readonly range: string; readonly at: Date },
): Promise<ObjectRequest> {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(href) ?? [];
  if (bucket === undefined || credentials === undefined) {
    const why = bucket === undefined ? "names no bucket and key" : "has no credentials, which name its store";
    throw new SourceProblem("refused", `${href} ${why}`);
  }
  const keys = await readS3Credentials(credentials).catch((cause: unknown) => {
    const words = cause instanceof Fault ? `${cause.what}: ${cause.why}` : "its credentials cannot be read";
    throw new SourceProblem("refused", `${href}: ${words}`);
  });
  const store = new URL(keys.endpoint);
  const address = keys.style === "virtual" ? new URL(`${store.protocol}//${bucket}.${store.host}`) : store;
  const path = keys.style === "virtual" ? `/${encodedKey(key)}` : `/${bucket}/${encodedKey(key)}`;
  const headers = signedHeaders({ host: address.host, path, headers: { range }, at }, keys);
  return { address, path, headers };
}
