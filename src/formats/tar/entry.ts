/** Contents of an archive, in the terms of tar: files, directories and symbolic links below one folder. */

/** Content of a file; it has exactly `sizeBytes`. */
export interface TarFile {
  readonly kind: "file";
  readonly path: string;
  /** Permissions, as in chmod. */
  readonly mode: number;
  readonly sizeBytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

interface TarDirectory {
  readonly kind: "directory";
  readonly path: string;
  readonly mode: number;
}

interface TarLink {
  readonly kind: "link";
  readonly path: string;
  readonly target: string;
}

/** An entry; its path is relative, with `/`. */
export type TarEntry = TarFile | TarDirectory | TarLink;

/** Size of a header, and unit of contents, in bytes. */
export const BLOCK = 512;

/** Bytes from the end of a content to the next header. */
export function paddingOf(sizeBytes: number): number {
  return (BLOCK - (sizeBytes % BLOCK)) % BLOCK;
}

/** Letters for the kinds of entries in headers (POSIX.1-1988). */
export const TYPES = { file: "0", link: "2", directory: "5", extended: "x" } as const;
