/** Most characters of an upload, as the broker takes them. */
const MOST_CHARACTERS = 9_500_000;

/** A file as it is sent: packed by gzip, in base64. */
export interface PackedFile {
  readonly file: string;
  readonly base64: string;
}

/** Packs a file where it is not packed yet. @throws Error where it is too large to be sent */
export async function packed(file: File): Promise<PackedFile> {
  const begin = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = begin[0] === 0x1f && begin[1] === 0x8b;
  const stream = isPacked ? file.stream() : file.stream().pipeThrough(new CompressionStream("gzip"));
  const blob = await new Response(stream).blob();
  const base64 = await base64Of(blob);
  if (base64.length > MOST_CHARACTERS) {
    throw new Error(`${file.name} is too large: it is over 7 MB compressed. Use a part of it.`);
  }
  return { file: file.name, base64 };
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error("the file cannot be read"));
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.readAsDataURL(blob);
  });
}
