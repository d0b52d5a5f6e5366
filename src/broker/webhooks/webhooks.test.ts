import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { StintEvent } from "../../model/index.ts";
import type { EventSearch, RecordedPage } from "../../runtime/index.ts";
import { isPrivateAddress } from "./send.ts";
import { runWebhooks, type WebhookWorld } from "./webhooks.ts";

const NOW = Date.UTC(2026, 4, 31, 12);

/** A log that grows. */
function logOf() {
  const kinds: ("jobHeld" | "jobReleased")[] = [];
  return {
    happen: (kind: "jobHeld" | "jobReleased") => kinds.push(kind),
    events: async ({ after = 0, limit, isNewestFirst }: EventSearch): Promise<RecordedPage> => {
      const all = kinds.map((kind, at) => {
        const event: StintEvent = { kind, job: "7f3a", atMs: NOW, by: "ann" };
        return { seq: at + 1, event, facts: {} };
      });
      const items = isNewestFirst ? [] : all.filter(({ seq }) => seq > after).slice(0, limit);
      const last = items.at(-1)?.seq ?? 0;
      return { items, next: items.length === limit ? last : undefined, head: kinds.length, archives: [] };
    },
  };
}

interface Got {
  readonly seq: number;
  readonly kind: string;
  readonly signature: string;
  readonly body: string;
}

/** A receiver; `answer` says how it answers each request. */
async function receiver(answer: (response: ServerResponse, count: number) => void) {
  const got: Got[] = [];
  let count = 0;
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const { event } = JSON.parse(body);
    got.push({ ...event, body, signature: String(request.headers["stint-signature"]) });
    answer(response, ++count);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { got, url: `http://127.0.0.1:${port}/hook` };
}

const fine = (response: ServerResponse) => void response.writeHead(204).end();

async function running(log: ReturnType<typeof logOf>, change: Partial<WebhookWorld> = {}) {
  const directory = change.directory ?? join(mkdtempSync(join(tmpdir(), "stint-webhooks-")), "webhooks");
  const world: WebhookWorld = {
    ...{ directory, events: log.events, nowMs: () => NOW, warn: () => {} },
    ...{ pausesMs: [5, 5], timeoutMs: 200, pollMs: 10, ...change },
  };
  const webhooks = await runWebhooks(world);
  onTestFinished(() => webhooks.stop());
  return { webhooks, directory };
}

const to = (url: string, kinds: readonly string[] = []) => ({
  url,
  kinds,
  isPrivateAllowed: true,
  by: "ann",
});
const seqs = (got: readonly Got[]) => got.map(({ seq }) => seq);

describe("webhooks", () => {
  it("BR-95 get events from then on, in order, only of their kinds, each signed", async () => {
    const log = logOf();
    log.happen("jobHeld");
    const { got, url } = await receiver(fine);
    const { webhooks } = await running(log);
    const { secret, webhook } = await webhooks.add(to(url, ["jobReleased"]));
    for (const kind of ["jobReleased", "jobHeld", "jobReleased"] as const) log.happen(kind);
    await vi.waitFor(() => expect(seqs(got)).toEqual([2, 4]), 100_000);
    const [first] = got;
    expect(JSON.parse(first?.body ?? "")).toEqual({
      webhook: webhook.id,
      event: {
        ...{ seq: 2, at: "2026-05-31T12:00:00.000Z", kind: "jobReleased", job: "7f3a", site: null },
        ...{ by: "ann", state: null, text: "released" },
      },
    });
    const seconds = NOW / 1000;
    const hex = createHmac("sha256", secret).update(`${seconds}.${first?.body}`).digest("hex");
    expect(first?.signature).toBe(`t=${seconds},v1=${hex}`);
  });

  it("BR-96 without a 2xx it is tried again, then given up, and sent again on request", async () => {
    const log = logOf();
    let isBroken = true;
    const { got, url } = await receiver((response) => response.writeHead(isBroken ? 500 : 200).end());
    const { webhooks } = await running(log);
    const { webhook } = await webhooks.add(to(url));
    log.happen("jobHeld");
    await vi.waitFor(() => expect(webhooks.list()[0]?.throughSeq).toBe(1), 100_000);
    expect(seqs(got)).toEqual([1, 1, 1]);
    expect(webhooks.list()[0]).toMatchObject({
      ...{ throughSeq: 1, failing: null },
      dead: [{ seq: 1, kind: "jobHeld", atMs: NOW, why: "it answered 500" }],
    });
    isBroken = false;
    expect((await webhooks.redeliver(webhook.id))?.dead).toEqual([]);
    await vi.waitFor(() => expect(seqs(got)).toEqual([1, 1, 1, 1]), 100_000);
    expect(await webhooks.redeliver("none")).toBeUndefined();
  });

  it("BR-97 a webhook that never answers delays no other", async () => {
    const log = logOf();
    const [silent, other] = [await receiver(() => {}), await receiver(fine)];
    const { webhooks } = await running(log, { timeoutMs: 5000 });
    await webhooks.add(to(silent.url));
    await webhooks.add(to(other.url));
    for (let event = 0; event < 20; event++) log.happen("jobHeld");
    await vi.waitFor(() => expect(other.got).toHaveLength(20), 100_000);
    expect(silent.got).toHaveLength(1);
    const startMs = performance.now();
    await webhooks.stop();
    expect(performance.now() - startMs).toBeLessThan(2000);
  });

  it("BR-97 no answer in time is a failure with its reason", async () => {
    const log = logOf();
    const { url } = await receiver(() => {});
    const { webhooks } = await running(log, { pausesMs: [], timeoutMs: 100 });
    await webhooks.add(to(url));
    log.happen("jobHeld");
    await vi.waitFor(() => expect(webhooks.list()[0]?.dead[0]?.why).toBe("no answer within 0.1 s"), 100_000);
  });

  it("BR-98 goes on where it was after a restart; its file is the owner's alone", async () => {
    const log = logOf();
    const { got, url } = await receiver(fine);
    const { webhooks, directory } = await running(log);
    const { webhook, secret } = await webhooks.add(to(url));
    log.happen("jobHeld");
    await vi.waitFor(() => expect(webhooks.list()[0]?.throughSeq).toBe(1), 100_000);
    await webhooks.stop();
    const [file = ""] = readdirSync(directory);
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(directory, file), "utf8")).toContain(secret);
    expect(JSON.stringify(webhooks.list())).not.toContain(secret);
    log.happen("jobReleased");
    const again = await running(log, { directory });
    await vi.waitFor(() => expect(new Set(seqs(got))).toEqual(new Set([1, 2])), 100_000);
    expect(await again.webhooks.remove(webhook.id)).toMatchObject({ id: webhook.id });
    expect(readdirSync(directory)).toEqual([]);
    expect(await again.webhooks.remove(webhook.id)).toBeUndefined();
  });

  it.each([
    ["127.0.0.1", true],
    ["10.1.2.3", true],
    ["169.254.169.254", true],
    ["172.31.0.1", true],
    ["192.168.1.1", true],
    ["0.0.0.0", true],
    ["::1", true],
    ["fe80::1", true],
    ["fd00::1", true],
    ["::ffff:10.0.0.1", true],
    ["93.184.216.34", false],
    ["2606:2800:220:1::1", false],
  ])("BR-99 %s is private: %s", (address, isPrivate) => {
    expect(isIP(address)).not.toBe(0);
    expect(isPrivateAddress(address)).toBe(isPrivate);
  });

  it.each(["127.0.0.1", "localhost", "[::1]", "2130706433"])(
    "BR-99 %s is not reached unless it is allowed, by whatever name",
    async (host) => {
      const log = logOf();
      const { got, url } = await receiver(fine);
      const { webhooks } = await running(log, { pausesMs: [] });
      const named = url.replace("127.0.0.1", host);
      await webhooks.add({ ...to(named), isPrivateAllowed: false });
      log.happen("jobHeld");
      await vi.waitFor(
        () => expect(webhooks.list()[0]?.dead[0]?.why).toContain("not allowed for this webhook"),
        100_000,
      );
      expect(got).toEqual([]);
    },
  );
});
