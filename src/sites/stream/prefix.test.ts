import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/stint.ts";
import { listPrefix } from "./prefix.ts";

it("SW-10 a page of nothing but folders does not end the list of a store", async () => {
  const keys = ["7/a/", "7/b/", "7/b/x.dat"];
  const server = createServer(({ url = "" }, response) => {
    const after = decodeURIComponent(/start-after=([^&]*)/.exec(url)?.[1] ?? "");
    const page = keys.filter((key) => key > after).slice(0, 1);
    const objects = page.map((key) => `<Contents><Key>${key}</Key><Size>3</Size></Contents>`).join("");
    const isCut = `<IsTruncated>${page[0] !== keys.at(-1)}</IsTruncated>`;
    response.end(`<ListBucketResult>${isCut}${objects}</ListBucketResult>`);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const credentials = join(temporaryFolder(), "s3.yaml");
  const keysThere = { endpoint, style: "path", region: "eu", accessKey: "KEY", secretKey: "secret" };
  writeFileSync(credentials, JSON.stringify(keysThere), { mode: 0o600 });
  const look = { prefix: "s3://runs/7/", credentials, idleMs: 5000, signal: new AbortController().signal };
  expect(await listPrefix(look)).toEqual({ files: [{ rest: "b/x.dat", bytes: 3 }], isCut: false });
  server.closeAllConnections();
  server.close();
});
