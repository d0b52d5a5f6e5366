import { createSocket } from "node:dgram";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fakeBrokerApi } from "../../../test/api/fake-broker-api.ts";
import { temporaryFolder } from "../../../test/stint.ts";
import type { AuditRecord, StintEvent } from "../../model/index.ts";
import { asJson, type BrokerApi } from "../../runtime/index.ts";
import { auditMessage } from "./audit-message.ts";
import { runSyslog } from "./run-syslog.ts";

const NOW = Date.UTC(2026, 10, 27, 12);
const BEGUN: StintEvent = {
  ...{ kind: "payloadAudited", atMs: NOW, job: "j1", attempt: 1, site: "far", owner: "ann" },
  ...{ consumer: "cms/higgs/ann", executable: 'a"b\\c]d\n<86>1 forged', mode: "sudo", pilot: "p1" },
  ...{ node: "n3", account: "cms001", rule: 2, sha256: "ab12", startedAtMs: NOW },
};
const ENDED: StintEvent = {
  ...{ kind: "attemptEnded", atMs: NOW + 5000, job: "j1", attempt: 1 },
  end: { cause: "exited", exitCode: 3, signal: null, cpuMs: 1200, detail: null },
};
const {
  kind: _,
  atMs: _at,
  startedAtMs: _start,
  ...job
} = BEGUN as Extract<StintEvent, { kind: "payloadAudited" }>;
const RECORD: AuditRecord = {
  ...{ ...job, key: "j1/1", refusal: null, fromMs: NOW, toMs: NOW + 5000 },
  end: { cause: "exited", exitCode: 3, cpuMs: 1200 },
};
const SENDER = { hostName: "broker.example.org", processId: 7 };

function recorded(event: StintEvent, seq = 12) {
  const { kind: _kind, atMs: _atMs, ...facts } = event;
  return { seq, event, facts: asJson(facts) };
}

const stops: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

function scene(address: string) {
  const brokerApi = fakeBrokerApi();
  const query = ((name: string, question: { readonly job?: string }) =>
    name === "audit" && question.job === "j1" ? [RECORD] : []) as unknown as BrokerApi["query"];
  const warnings: string[] = [];
  const directory = join(temporaryFolder(), "syslog");
  const start = async () => {
    const events: BrokerApi["events"] = (search) => brokerApi.events(search);
    const running = await runSyslog({
      ...{ address, directory, brokerApi: { events, query } },
      ...{ warn: (message: string) => warnings.push(message), pollMs: 5 },
    });
    stops.push(running.stop);
    return running.stop;
  };
  const happen = async (event: StintEvent): Promise<void> => {
    const { kind, atMs, ...body } = event;
    await brokerApi.log.commit({ events: [{ kind, version: 1, atMs, body: asJson(body) }], changes: [] });
  };
  return { start, happen, warnings };
}

/** A receiver of counted frames at a port, 0 for any. */
async function receiver(port = 0): Promise<{ port: number; frames: () => string[]; close: () => void }> {
  let text = "";
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on("data", (bytes) => {
      text += bytes.toString("utf8");
    });
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  stops.push(close);
  const address = server.address();
  const at = typeof address === "object" && address !== null ? address.port : 0;
  return { port: at, frames: () => framesIn(text), close };
}

function framesIn(text: string): string[] {
  const frames: string[] = [];
  let rest = Buffer.from(text);
  for (;;) {
    const [, length = ""] = /^(\d+) /.exec(rest.toString("latin1")) ?? [];
    if (length === "") return frames;
    const from = length.length + 1;
    frames.push(rest.subarray(from, from + Number(length)).toString("utf8"));
    rest = rest.subarray(from + Number(length));
  }
}

describe("messages of the audit", () => {
  it("BR-290 have the header and structured data of RFC 5424, and no text of a user begins another", () => {
    const text = auditMessage(recorded(BEGUN), undefined, SENDER).toString("utf8");
    expect(text).toMatch(
      /^<110>1 2026-11-27T12:00:00\.000Z broker\.example\.org stint 7 payloadAudited \[stint@32473 seq="12" /,
    );
    expect(text).toContain('executable="a\\"b\\\\c\\]d <86>1 forged"');
    expect(text).toContain('account="cms001" rule="2" sha256="ab12"] \uFEFF');
    expect(text).not.toMatch(/[\n\r]/);
  });

  it("BR-290 an end has its cause and its times; hashes of secrets are never sent", () => {
    const ended = auditMessage(recorded(ENDED), RECORD, SENDER).toString("utf8");
    expect(ended).toContain('account="cms001"');
    expect(ended).toContain('cause="exited" exitCode="3" cpuMs="1200" realMs="5000"]');
    const token = {
      ...{ kind: "tokenCreated", atMs: NOW, token: "t1", hash: "5ec4e7", owner: "ann", role: "member" },
      ...{ by: "root", label: "x", createdBy: "root", expiresAtMs: NOW, consumer: null, site: null },
    } as unknown as StintEvent;
    const created = auditMessage(recorded(token), undefined, SENDER).toString("utf8");
    expect(created).toMatch(/^<109>1 .* tokenCreated \[stint@32473 seq="12" owner="ann" token="t1"/);
    expect(created).not.toContain("5ec4e7");
  });

  it("BR-290 are no longer than every receiver accepts", () => {
    const long = { ...BEGUN, executable: "é".repeat(3000), consumer: "é".repeat(3000) } as StintEvent;
    const message = auditMessage(recorded(long), undefined, SENDER);
    expect(message.length).toBeLessThanOrEqual(2048);
    expect(message.toString("utf8")).not.toContain("\uFFFD");
  });
});

describe("sending the audit", () => {
  it("BR-290 starts, ends and refusals are sent once, in order; other events are not", async () => {
    const { port, frames } = await receiver();
    const { start, happen, warnings } = scene(`tcp://127.0.0.1:${port}`);
    await happen({ ...BEGUN, job: "before" } as StintEvent);
    await start();
    await happen(BEGUN);
    await happen({ kind: "jobsParked", jobs: ["j2"], atMs: NOW } as unknown as StintEvent);
    await happen({ ...ENDED, job: "j2" } as StintEvent);
    await happen(ENDED);
    await expect.poll(() => frames().length).toBe(2);
    const kinds = frames().map((frame) => / stint \d+ (\w+) .* job="(\w+)"/.exec(frame)?.slice(1));
    expect(kinds).toEqual([
      ["payloadAudited", "j1"],
      ["attemptEnded", "j1"],
    ]);
    expect(warnings).toEqual([]);
  });

  it("BR-291 what happens while the receiver or the broker is away is sent afterwards", async () => {
    const gone = await receiver();
    gone.close();
    const { start, happen, warnings } = scene(`tcp://127.0.0.1:${gone.port}`);
    const stop = await start();
    await happen(BEGUN);
    await expect.poll(() => warnings).toHaveLength(1);
    await stop();
    await happen(ENDED);
    const { frames } = await receiver(gone.port);
    await start();
    await expect.poll(() => frames().length).toBe(2);
    expect(warnings).toEqual([expect.stringContaining("the audit cannot be sent to tcp://127.0.0.1:")]);
  });

  it("BR-290 a datagram has one message", async () => {
    const socket = createSocket("udp4");
    const heard: string[] = [];
    socket.on("message", (bytes) => heard.push(bytes.toString("utf8")));
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
    stops.push(() => socket.close());
    const { start, happen } = scene(`udp://127.0.0.1:${socket.address().port}`);
    await start();
    await happen(BEGUN);
    await expect.poll(() => heard).toHaveLength(1);
    expect(heard[0]).toMatch(/^<110>1 .*payloadAudited \[stint@32473 /);
  });
});
