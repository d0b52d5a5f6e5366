/**
 * Reads the lines of a manifest: `ADDRESS [BYTES] [CHECKSUM]`, one file a line, in order. Blank lines and
 * those that begin with # say nothing; `end` ends a manifest that grows.
 *
 * Addresses may be relative to the manifest. A file has the protocol of its manifest, so that what a server
 * lists is read from servers, and never from the machine of the wrapper or with keys meant for a store.
 */
import { SourceProblem } from "./source-problem.ts";

/** A file of a list. */
export interface ListedFile {
  readonly href: readonly string[];
  readonly bytes?: number;
  readonly checksum?: string;
}

/** Lines of a manifest that were read. */
interface ManifestPart {
  readonly files: readonly { readonly file: ListedFile; readonly upTo: number }[];
  readonly isEnded: boolean;
}

const MOST_CHARACTERS = 4096;
const CHECKSUM = /^(sha256:[0-9a-f]{64}|md5:[0-9a-f]{32}|adler32:[0-9a-f]{8})$/;

/**
 * Files of whole lines from a byte of the manifest on.
 *
 * @param isWhole true where a last line without an end is one too
 * @throws SourceProblem that names the byte of a line that cannot be read
 */
export function readManifest(
  text: Buffer,
  { href, from, isWhole }: { readonly href: string; readonly from: number; readonly isWhole: boolean },
): ManifestPart {
  const files: { file: ListedFile; upTo: number }[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf(0x0a, at);
    if (end < 0 && !isWhole) break;
    const next = end < 0 ? text.length : end + 1;
    const line = text.toString("utf8", at, next).trim();
    if (line === "end") return { files, isEnded: true };
    if (line !== "" && !line.startsWith("#"))
      files.push({ file: fileOf(line, href, from + at), upTo: from + next });
    at = next;
  }
  return { files, isEnded: false };
}

function fileOf(line: string, manifest: string, at: number): ListedFile {
  const [address, ...rest] = line.split(/\s+/);
  const bytes = rest.find((word) => /^\d{1,15}$/.test(word));
  const checksum = rest.find((word) => CHECKSUM.test(word));
  const known = [bytes, checksum].filter((it) => it !== undefined).length;
  const isReadable =
    line.length <= MOST_CHARACTERS && URL.canParse(address, manifest) && known === rest.length;
  if (!isReadable) {
    const why = "a line is an address, a number of bytes, and sha256:, md5: or adler32: with digits";
    throw new SourceProblem("refused", `${manifest}, byte ${at}: ${why}`);
  }
  const url = new URL(address, manifest);
  if (kindOf(url.protocol) !== kindOf(new URL(manifest).protocol)) {
    const why = `a file of this list cannot be read by ${url.protocol}`;
    throw new SourceProblem("refused", `${manifest}, byte ${at}: ${why}`);
  }
  return {
    href: [url.href],
    ...(bytes === undefined ? {} : { bytes: Number(bytes) }),
    ...(checksum === undefined ? {} : { checksum }),
  };
}

const kindOf = (protocol: string): string => (protocol === "https:" ? "http:" : protocol);
