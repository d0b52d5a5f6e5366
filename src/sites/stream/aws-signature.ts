/**
 * Signs requests for objects as AWS Signature Version 4 has it: HMAC-SHA256 over the request, with a key
 * derived from the secret, the day, the region and the service.
 *
 * Only GET without a body is signed here. The secret stays in this process: what is sent
 * is a signature.
 */
import { createHash, createHmac } from "node:crypto";

const ALGORITHM = "AWS4-HMAC-SHA256";
const NOTHING = createHash("sha256").digest("hex");

/** A request to be signed. */
interface UnsignedRequest {
  readonly host: string;
  /** Path, each part of it encoded as {@link encodedKey} does. */
  readonly path: string;
  /** Query, sorted by name and encoded; none where absent. */
  readonly query?: string;
  /** Headers that are signed besides, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly at: Date;
}

/** Keys of a signature. */
interface SigningKeys {
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string;
}

/** Headers of the request with its signature. */
export function signedHeaders(
  { host, path, query = "", headers, at }: UnsignedRequest,
  { region, accessKey, secretKey, sessionToken }: SigningKeys,
): Readonly<Record<string, string>> {
  const stamp = at.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = stamp.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    ...{ host, "x-amz-content-sha256": NOTHING, "x-amz-date": stamp },
    ...(sessionToken === undefined ? {} : { "x-amz-security-token": sessionToken }),
  };
  const names = Object.keys(all).sort();
  const signed = names.join(";");
  const lines = names.map((name) => `${name}:${all[name].trim()}\n`).join("");
  const request = ["GET", path, query, lines, signed, NOTHING].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const digest = createHash("sha256").update(request).digest("hex");
  let key: Buffer = Buffer.from(`AWS4${secretKey}`);
  for (const part of [day, region, "s3", "aws4_request"]) key = hmac(key, part);
  const signature = hmac(key, [ALGORITHM, stamp, scope, digest].join("\n")).toString("hex");
  const fields = [`Credential=${accessKey}/${scope}`, `SignedHeaders=${signed}`, `Signature=${signature}`];
  const authorization = `${ALGORITHM} ${fields.join()}`;
  return { ...all, authorization };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** A key as it stands in a path: everything but letters, digits and `-._~/` in percent. */
export function encodedKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll("%2F", "/")
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
