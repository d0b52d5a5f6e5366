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

/** An object, or objects, of a store. */
interface Wanted {
  readonly credentials?: string;
  readonly at: Date;
}

/** @throws SourceProblem where the address or its credentials cannot be used */
export async function objectRequest(
  href: string,
  { range, ...wanted }: Wanted & { readonly range: string },
): Promise<ObjectRequest> {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(href) ?? [];
  return signed(href, { ...wanted, bucket, path: encodedKey(key ?? ""), headers: { range } });
}

/** Request for a list of the objects whose keys begin as the address does. @throws SourceProblem */
export async function listRequest(
  href: string,
  { after, ...wanted }: Wanted & { readonly after?: string },
): Promise<ObjectRequest> {
  const [, bucket, prefix = ""] = /^s3:\/\/([^/]+)\/(.*)$/.exec(href) ?? [];
  const start = after === undefined ? {} : { "start-after": after.replace(/^s3:\/\/[^/]+\//, "") };
  const query = Object.entries({ "list-type": "2", prefix, ...start })
    .map(([name, value]) => `${name}=${encodedKey(value).replaceAll("/", "%2F")}`)
    .join("&");
  return signed(href, { ...wanted, bucket, path: "", query, headers: {} });
}

/** Request to a bucket. */
interface Unsigned extends Wanted {
  readonly bucket: string | undefined;
  /** Path below the bucket, encoded. */
  readonly path: string;
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function signed(
  href: string,
  { bucket, path: below, query, headers: own, credentials, at }: Unsigned,
): Promise<ObjectRequest> {
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
  const path = keys.style === "virtual" ? `/${below}` : `/${bucket}/${below}`;
  const asked = query === undefined ? {} : { query };
  const headers = signedHeaders({ host: address.host, path, ...asked, headers: own, at }, keys);
  return { address, path: query === undefined ? path : `${path}?${query}`, headers };
}
