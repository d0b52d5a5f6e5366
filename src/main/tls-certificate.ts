/** Certificate named in `stint.yaml`; errors have the place in that file. */
import { type Certificate, certificateOf, readChain, readKey } from "../api/index.ts";
import { Fault, MS_PER_HOUR } from "../base/index.ts";
import type { Setting, TlsSettings } from "./settings.ts";

/** Reads both files. @throws Fault with the line that names the file */
export async function readCertificate({ cert, key }: TlsSettings): Promise<Certificate> {
  const [chain, privateKey] = await Promise.all([at(cert, readChain), at(key, readKey)]);
  return await at(key, async () => certificateOf(chain, privateKey));
}

async function at<Value>(
  { value, origin }: Setting<string>,
  read: (file: string) => Promise<Value>,
): Promise<Value> {
  try {
    return await read(value);
  } catch (error) {
    if (!(error instanceof Fault) || origin.kind !== "file") throw error;
    const { kind, code, what, why, remedy, cause } = error;
    throw new Fault({ kind, code, what: `${origin.file}:${origin.line}: ${what}`, why, remedy, cause });
  }
}

/** Time before expiry, in ms, from which a certificate is reported. */
const SOON_MS = 14 * 24 * MS_PER_HOUR;

/** Reason why clients reject the certificate, or soon will, in one sentence; undefined: none. */
export function certificateTrouble(
  { names, beginsAtMs, endsAtMs }: Certificate,
  nowMs: number,
): string | undefined {
  const end = new Date(endsAtMs).toISOString();
  if (names.length === 0) return "the certificate names no host (subjectAltName), so no client takes it";
  if (nowMs < beginsAtMs) return `the certificate holds from ${new Date(beginsAtMs).toISOString()} on only`;
  if (nowMs >= endsAtMs) return `the certificate has ended, at ${end}: clients refuse it`;
  return endsAtMs - nowMs < SOON_MS ? `the certificate ends at ${end}` : undefined;
}
