/**
 * Certificates for tests, made by openssl: each with its key, known by nobody but who is given it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";

/** Whether there can be any here. */
export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
/** For the title of what needs them. */
export const howToHave = hasOpenssl ? "" : " (skipped: there is no openssl)";

/** Where a certificate and its key are. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Makes `NAME.pem` and `NAME.key` in a folder, for these names (`DNS:localhost,IP:127.0.0.1`). */
export function certificateFiles(
  folder: string,
  name: string,
  { names = "DNS:localhost", days = 300 } = {},
): CertificateFiles {
  const files = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  const words = [
    ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=test".split(" "),
    ...["-days", String(days)],
    ...(names === "" ? [] : ["-addext", `subjectAltName=${names}`]),
    ...["-keyout", files.key, "-out", files.cert],
  ];
  execFileSync("openssl", words, { stdio: "ignore" });
  chmodSync(files.key, 0o600);
  return files;
}
