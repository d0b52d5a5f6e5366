import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../test/api/eventually.ts";
import { fakeBrokerApi } from "../../test/api/fake-broker-api.ts";
import { serverOf } from "../../test/api/serving.ts";
import {
  type CertificateFiles,
  certificateFiles,
  hasOpenssl,
  howToHave,
} from "../../test/certificate-files.ts";
import { Fault } from "../base/index.ts";
import { createClient } from "./client/index.ts";
import {
  type Certificate,
  certificateOf,
  followCertificate,
  listenOnTcp,
  readChain,
  readKey,
} from "./index.ts";

const read = async ({ cert, key }: CertificateFiles): Promise<Certificate> =>
  certificateOf(await readChain(cert), await readKey(key));

/** A server known by a certificate, until the test is over. */
async function serveBy(certificate: Certificate, host = "127.0.0.1") {
  const server = serverOf(fakeBrokerApi(), { tls: certificate });
  onTestFinished(() => server.close());
  return { server, url: await listenOnTcp(server, { host, port: 0, certificate }) };
}

describe.skipIf(!hasOpenssl)(`a server over TLS${howToHave}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "stint-served-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const own = hasOpenssl ? certificateFiles(folder, "own") : { cert: "", key: "" };
  const other = hasOpenssl
    ? certificateFiles(folder, "other", { names: "DNS:broker.example.org,DNS:*.example.org,IP:127.0.0.1" })
    : own;
  const file = (name: string, text: string, mode = 0o600): string => {
    writeFileSync(join(folder, name), text, { mode });
    return join(folder, name);
  };

  it("answers who knows it, under any name, and nobody in the clear", async () => {
    const { url } = await serveBy(await read(own));
    expect(url).toMatch(/^https:\/\/localhost:\d+$/);
    const ca = readFileSync(own.cert, "utf8");
    const client = createClient({ url, token: "stint_x", ca, patienceMs: 0 });
    onTestFinished(() => client.close());
    expect(await client.sites()).toMatchObject([{ name: "local" }]);
    const inClear = createClient({ url: url.replace("https", "http"), token: "stint_x", patienceMs: 0 });
    onTestFinished(() => inClear.close());
    await expect(inClear.sites()).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("the URL has a name that the certificate is for, where that leads to it", async () => {
    const certificate = await read(other);
    expect((await serveBy(certificate)).url).toMatch(/^https:\/\/127\.0\.0\.1:/);
    expect((await serveBy(certificate, "0.0.0.0")).url).toMatch(/^https:\/\/broker\.example\.org:/);
    expect((await serveBy(await read(own), "localhost")).url).toMatch(/^https:\/\/localhost:/);
    const server = serverOf(fakeBrokerApi(), { tls: certificate });
    await expect(listenOnTcp(server, { host: "192.0.2.7", port: 0, certificate })).rejects.toMatchObject({
      ...{ kind: "badInput", code: "hostNotHere" },
    });
  });

  it("what is wrong with the files is told by name, before anything listens", async () => {
    const cert = readFileSync(own.cert, "utf8");
    const key = readFileSync(own.key, "utf8");
    const encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    const cases: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["certificateUnreadable", () => readChain(join(folder, "gone.pem"))],
      ["certificateWrong", () => readChain(file("empty.pem", ""))],
      ["certificateWrong", () => readChain(own.key)],
      ["certificateWrong", () => readChain(file("half.pem", cert.replace(/\n.*\n.*\n/, "\n")))],
      ["certificateWrong", () => readChain(file("chain.pem", `${cert}${cert.replace(/\n.*\n.*\n/, "\n")}`))],
      ["keyUnreadable", () => readKey(folder)],
      ["keyUnreadable", () => readKey(file("huge.key", "x".repeat(300_000)))],
      ["keyWrong", () => readKey(own.cert)],
      ["keyWrong", () => readKey(file("half.key", key.replace(/\n.*\n/, "\n")))],
      ["keyWrong", () => readKey(file("closed.key", encrypted))],
      ["keyOpen", () => readKey(file("group.key", key, 0o640))],
      ["keyOfAnother", () => read({ cert: own.cert, key: other.key })],
    ];
    for (const [code, reading] of cases) {
      const fault = await reading().catch((error: unknown) => error);
      expect(fault).toMatchObject({ code });
      expect(fault).toBeInstanceOf(Fault);
      expect((fault as Fault).what).toContain(code === "keyOfAnother" ? "do not match" : folder);
    }
    chmodSync(join(folder, "group.key"), 0o400);
    expect((await readKey(join(folder, "group.key"))).text).toBe(key);
  });

  it("a new pair serves the connections from then on; what is no pair changes nothing", async () => {
    const files = { cert: join(folder, "now.pem"), key: join(folder, "now.key") };
    const put = (from: CertificateFiles): void => {
      copyFileSync(from.cert, files.cert);
      copyFileSync(from.key, files.key);
    };
    put(own);
    const served = await read(files);
    const { server, url } = await serveBy(served);
    const told: (Certificate | Fault)[] = [];
    const followed = { served, everyMs: 20, read: () => read(files) };
    onTestFinished(followCertificate(server, { ...followed, onRead: (it) => told.push(it) }));
    copyFileSync(other.cert, files.cert);
    await eventually("it is told", () =>
      told.some((it) => it instanceof Fault && it.code === "keyOfAnother"),
    );
    expect(await namesAt(url)).toBe("DNS:localhost");
    put(other);
    await eventually("it is read", () => told.some((it) => !(it instanceof Fault)));
    expect(await namesAt(url)).toContain("broker.example.org");
  });

  it("a pair that was renewed before anybody looked is served, too", async () => {
    const served = await read(own);
    const { server, url } = await serveBy(served);
    const told: (Certificate | Fault)[] = [];
    onTestFinished(
      followCertificate(server, {
        served,
        everyMs: 20,
        read: () => read(other),
        onRead: (it) => told.push(it),
      }),
    );
    await eventually("it is read", () => told.length > 0);
    expect(await namesAt(url)).toContain("broker.example.org");
  });
});

/** The names of the certificate that a new connection is shown. */
function namesAt(url: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port: Number(new URL(url).port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subjectaltname);
      socket.destroy();
    });
    socket.once("error", reject);
  });
}
