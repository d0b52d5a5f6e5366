import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { signedHeaders } from "./aws-signature.ts";
import { objectRequest } from "./open-object.ts";
import { openSource } from "./open-source.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-s3-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const SECRET = "a-secret-of-the-store";
const KEYS = { region: "eu-central-1", accessKey: "KEY", secretKey: SECRET };

function credentials(endpoint: string, { style = "path", mode = 0o600 } = {}): string {
  const file = join(folder, `${Math.random()}.yaml`);
  writeFileSync(file, JSON.stringify({ endpoint, style, ...KEYS }));
  chmodSync(file, mode);
  return file;
}

const DATA = Buffer.from("0123456789");

/** True where the signature is that of what was sent. */
function isSigned({ url = "", headers }: IncomingMessage): boolean {
  const stamp = String(headers["x-amz-date"]);
  const at = new Date(stamp.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, "$1-$2-$3T$4:$5:$6Z"));
  const request = { host: String(headers.host), path: url, headers: { range: String(headers.range) }, at };
  return signedHeaders(request, KEYS).authorization === headers.authorization;
}

async function withStore<Result>(
  status: number,
  run: (endpoint: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer((request, response) => {
    const [, start = "0", end = "0"] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
    if (!isSigned(request) || status !== 206 || request.url !== "/runs/7/a%20%281%29.dat") {
      response.writeHead(status === 206 ? 403 : status, { location: "http://127.0.0.1:1/" }).end();
      return;
    }
    response.writeHead(206, { "Content-Range": `bytes ${start}-${end}/${DATA.length}`, ETag: '"1"' });
    response.end(DATA.subarray(Number(start), Number(end) + 1));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    const address = server.address();
    return await run(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const part = (file: string | undefined) => ({
  ...{ href: "s3://runs/7/a (1).dat", start: 2, end: 6, idleMs: 5000 },
  signal: new AbortController().signal,
  ...(file === undefined ? {} : { credentials: file }),
});

describe("an object of a store that speaks S3", () => {
  it("SW-9 is read by ranges, each request signed", async () => {
    await withStore(206, async (endpoint) => {
      const opened = await openSource(part(credentials(endpoint)));
      const chunks: Buffer[] = [];
      for await (const chunk of opened.chunks) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString()).toBe("2345");
      expect(opened).toMatchObject({ size: 10, version: '"1"', hasRanges: true });
    });
  });

  it("SW-9 no redirection is followed with a signature", async () => {
    await withStore(307, async (endpoint) => {
      await expect(openSource(part(credentials(endpoint)))).rejects.toMatchObject({
        kind: "refused",
        message: expect.stringContaining("another endpoint"),
      });
    });
  });

  it("has its bucket in the path or in the host", async () => {
    const range = "bytes=0-1";
    const at = new Date(0);
    const of = async (style: string) => {
      const file = credentials("https://store.example:9000", { style });
      const { address, path } = await objectRequest("s3://runs/a b", { credentials: file, range, at });
      return `${address.origin}${path}`;
    };
    expect(await of("path")).toBe("https://store.example:9000/runs/a%20b");
    expect(await of("virtual")).toBe("https://runs.store.example:9000/a%20b");
  });

  it.each([
    {
      name: "that others may read",
      file: () => credentials("http://127.0.0.1:1", { mode: 0o640 }),
      why: "other users can read",
    },
    { name: "that are missing", file: () => join(folder, "none"), why: "ENOENT" },
    { name: "with a mistake", file: () => credentials(`no address ${SECRET}`), why: "line 1, column 13" },
    { name: "that are not named", file: () => undefined, why: "has no credentials" },
  ])("SW-9 credentials $name are refused without a word of them", async ({ file, why }) => {
    const error: Error = await openSource(part(file())).then(
      () => new Error("opened"),
      (cause) => cause,
    );
    expect(error.message).toContain(why);
    expect(JSON.stringify([error.message, error, String(error.cause)])).not.toContain(SECRET);
  });
});
