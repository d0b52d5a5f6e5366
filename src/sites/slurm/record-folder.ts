/** Records of a site: in memory, and each as a small file that is written whole. */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Records by token. */
export interface RecordFolder<Kept extends { readonly token: string }> {
  all(): Iterable<Kept>;
  find(token: string): Kept | undefined;
  write(record: Kept): Promise<void>;
  remove(token: string): Promise<void>;
}

/** Opens a folder of records, or makes it. Partial files are removed. */
export async function openRecordFolder<Kept extends { readonly token: string }>(
  folder: string,
): Promise<RecordFolder<Kept>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const records = await readRecords<Kept>(folder);
  const fileOf = (token: string): string => join(folder, `${token.replace("/", "_")}.json`);
  return {
    all: () => [...records.values()],
    find: (token) => records.get(token),
    async write(record) {
      records.set(record.token, record);
      await writeWhole(fileOf(record.token), JSON.stringify(record));
    },
    async remove(token) {
      records.delete(token);
      await rm(fileOf(token), { force: true });
    },
  };
}

/** Writes a file with mode 0600, completely or not at all. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString("hex")}.new`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, file);
}

async function readRecords<Kept extends { readonly token: string }>(
  folder: string,
): Promise<Map<string, Kept>> {
  const records = new Map<string, Kept>();
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".json")) {
      await rm(join(folder, name), { force: true });
      continue;
    }
    const record: Kept = JSON.parse(await readFile(join(folder, name), "utf8"));
    records.set(record.token, record);
  }
  return records;
}
