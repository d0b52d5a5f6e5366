/**
 * Recognises packed files that Stint does not unpack, to say so instead of "not an SWF text file".
 *
 * By the magic bytes of each format's specification. Gzip is not here: it is unpacked.
 */

interface Packing {
  readonly name: string;
  readonly magic: readonly number[];
  readonly unpack: string;
}

const packings: readonly Packing[] = [
  { name: "xz", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], unpack: "xz -dk FILE" },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd], unpack: "zstd -dk FILE" },
  { name: "bzip2", magic: [0x42, 0x5a, 0x68], unpack: "bzip2 -dk FILE" },
  { name: "zip", magic: [0x50, 0x4b, 0x03, 0x04], unpack: "unzip FILE" },
  { name: "compress", magic: [0x1f, 0x9d], unpack: "uncompress -k FILE" },
  { name: "UTF-16 text", magic: [0xff, 0xfe], unpack: "iconv -f UTF-16 -t UTF-8 FILE" },
  { name: "UTF-16 text", magic: [0xfe, 0xff], unpack: "iconv -f UTF-16 -t UTF-8 FILE" },
];

/** Why bytes that begin a file cannot be read and what to do about it; undefined when not recognised. */
export function packedAs(bytes: Uint8Array): { readonly why: string; readonly remedy: string } | undefined {
  const packing = packings.find(({ magic }) => magic.every((byte, index) => bytes[index] === byte));
  if (packing === undefined) return undefined;
  return {
    why: `it is ${packing.name}, which is not unpacked here`,
    remedy: `unpack it first (${packing.unpack}); plain text and gzip are read directly`,
  };
}
