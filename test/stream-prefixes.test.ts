/** Sources by prefix: objects of a small store that speaks S3, and files of a directory. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { signedHeaders } from "../src/sites/stream/aws-signature.ts";
import { temporaryFolder } from "./stint.ts";
import { control, expectWhole, ledgerOf, orderFor, reportOf, run } from "./stream-scene.ts";
import { sourceData } from "./stream-source.ts";

const base = temporaryFolder();
const KEYS = { region: "eu-central-1", accessKey: "KEY", secretKey: "a-secret-of-the-store" };
/** Objects that a page of a list has at most. */
const PAGE = 2;
const BLOCK = 64_000;
const servers: Server[] = [];
let scenes = 0;

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

function isSigned({ url = "", headers }: IncomingMessage): boolean {
  const stamp = String(headers["x-amz-date"]);
  const at = new Date(stamp.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, "$1-$2-$3T$4:$5:$6Z"));
  const [path = "", query = ""] = url.split("?");
  const own = headers.range === undefined ? {} : { range: String(headers.range) };
  const request = { host: String(headers.host), path, query, headers: own, at };
  return signedHeaders(request, KEYS).authorization === headers.authorization;
}

function list(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const [prefix, after] = ["prefix", "start-after"].map((name) => query.get(name) ?? "");
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const contents = keys.slice(0, PAGE).map((key) => {
    const name = key.replaceAll("&", "&amp;");
    return `<Contents><Key>${name}</Key><Size>${objects.get(key)?.length}</Size></Contents>`;
  });
  const isCut = `<IsTruncated>${keys.length > PAGE}</IsTruncated>`;
  const space = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return `<?xml version="1.0"?><ListBucketResult ${space}>${isCut}${contents.join("")}</ListBucketResult>`;
}

function answer(objects: ReadonlyMap<string, Buffer>, request: IncomingMessage, response: ServerResponse) {
  if (!isSigned(request)) return response.writeHead(403).end();
  const url = new URL(request.url ?? "", "http://store");
  if (url.searchParams.get("list-type") === "2") return response.end(list(objects, url.searchParams));
  const data = objects.get(decodeURIComponent(url.pathname.replace("/runs/", "")));
  if (data === undefined) return response.writeHead(404).end();
  const [, start, end] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
  const last = Math.min(Number(end), data.length - 1);
  response.writeHead(206, { "Content-Range": `bytes ${start}-${last}/${data.length}`, ETag: '"1"' });
  return response.end(data.subarray(Number(start), last + 1));
}

function newFolder(): string {
  const folder = join(base, String(scenes++));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A store with a bucket `runs`, and the file with its keys. */
async function startStore(folder: string, objects: ReadonlyMap<string, Buffer>): Promise<string> {
  const server = createServer((request, response) => void answer(objects, request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  servers.push(server);
  const address = server.address();
  const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const credentials = join(folder, "keys.yaml");
  writeFileSync(credentials, JSON.stringify({ endpoint, ...KEYS }));
  chmodSync(credentials, 0o600);
  return credentials;
}

/** Objects of a run, each of a block, and two that are not of it. */
function objectsOf(data: Buffer): Map<string, Buffer> {
  const objects = new Map<string, Buffer>([
    ["8/x", Buffer.from("other")],
    ["7/", Buffer.alloc(0)],
  ]);
  for (let at = 0; at * BLOCK < data.length; at++)
    objects.set(`7/a&b (${at}).dat`, data.subarray(at * BLOCK, (at + 1) * BLOCK));
  return objects;
}

describe("a prefix as the source of a stream", () => {
  it("SW-9, SW-10 objects of an S3 store, page by page, and those that come later", async () => {
    const folder = newFolder();
    const data = sourceData(6 * BLOCK, 3);
    const objects = objectsOf(data.subarray(0, 5 * BLOCK));
    const credentials = await startStore(folder, objects);
    const source = { href: ["s3://runs/7/"], list: "prefix" as const, endless: true, credentials };
    const running = run({ ...orderFor(folder, ""), sources: [source] });
    while (ledgerOf(folder).length < 5) await sleep(20);
    for (const [key, content] of objectsOf(data)) objects.set(key, content);
    while (ledgerOf(folder).length < 6) await sleep(20);
    control(folder, { serial: 1, bytesPerSec: 1e9, end: "drain" });
    await running;
    expectWhole(folder, data);
    expect(reportOf(folder)).toMatchObject({ ackedBytes: data.length });
  });

  it("SW-9 wrong keys end the stream with the reason, which has no key", async () => {
    const folder = newFolder();
    const credentials = await startStore(folder, new Map());
    const keys = JSON.parse(readFileSync(credentials, "utf8"));
    writeFileSync(credentials, JSON.stringify({ ...keys, secretKey: "wrong" }));
    const source = { href: ["s3://runs/7/"], list: "prefix" as const, credentials };
    const failed = run({ ...orderFor(folder, ""), sources: [source] });
    await expect(failed).rejects.toMatchObject({ code: "sourceRefused", why: "s3://runs/7/ answered 403" });
  });

  it("SW-10 files of a directory, in the order of their names", async () => {
    const folder = newFolder();
    const data = sourceData(4 * BLOCK, 4);
    const there = join(folder, "data");
    mkdirSync(there);
    for (const at of [3, 1, 0, 2]) {
      const file = join(there, `run 7-${at}`);
      writeFileSync(join(folder, "new"), data.subarray(at * BLOCK, (at + 1) * BLOCK));
      renameSync(join(folder, "new"), file);
    }
    writeFileSync(join(there, "run 8-0"), "other");
    mkdirSync(join(there, "run 7-directory"));
    const source = { href: [pathToFileURL(join(there, "run 7-")).href], list: "prefix" as const };
    expect(await run({ ...orderFor(folder, ""), sources: [source] })).toBe("done");
    expectWhole(folder, data);
  });
});
