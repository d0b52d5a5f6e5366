import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { certificateFiles, hasOpenssl, howToHave } from "../../../test/certificate-files.ts";
import { brokerAddress } from "./connection.ts";
import { createClient } from "./index.ts";

describe.skipIf(!hasOpenssl)(`over TLS${howToHave}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "stint-tls-"));
  const asked: (string | undefined)[] = [];
  let url: string;
  let ca: string;
  let end: () => void;

  beforeAll(async () => {
    const files = certificateFiles(folder, "there");
    ca = readFileSync(files.cert, "utf8");
    const server = createServer({ key: readFileSync(files.key), cert: ca }, (request, response) => {
      asked.push(request.headers.authorization);
      response.setHeader("content-type", "application/json");
      response.end('{"items": [{"name": "west"}]}');
    });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    url = `https://localhost:${(server.address() as AddressInfo).port}`;
    end = () => server.close();
  });
  afterAll(() => {
    end?.();
    rmSync(folder, { recursive: true, force: true });
  });

  it("a server that the given certificates know is asked, with the token", async () => {
    const client = createClient({ url, token: "stint_x", ca });
    expect(await client.sites()).toEqual([{ name: "west" }]);
    expect(asked).toEqual(["Bearer stint_x"]);
    client.close();
  });

  it("one that nothing knows is told nothing, and it is said how it could be known", async () => {
    const before = asked.length;
    const client = createClient({ url, token: "stint_x" });
    await expect(client.sites()).rejects.toMatchObject({
      ...{ kind: "notAllowed", code: "serverUntrusted", remedy: expect.stringContaining("--ca") },
    });
    expect(asked.length).toBe(before);
    client.close();
  });
});

describe("addresses", () => {
  it("https is any host, http this machine", () => {
    const at = (url: string) => brokerAddress({ url, token: "stint_x" });
    expect(at("https://there.example.org")).toMatchObject({
      ...{ target: { host: "there.example.org", port: 443 }, tls: {} },
    });
    expect(at("http://localhost:7846").tls).toBe(null);
    for (const url of ["http://there.example.org", "ftp://localhost", "https://localhost/stint"]) {
      expect(() => at(url)).toThrow(expect.objectContaining({ code: "urlWrong" }));
    }
  });
});
