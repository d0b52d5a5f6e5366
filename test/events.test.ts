/** A person reads what happened to her jobs, and an auditor what happened to all. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
let broker: LiveBroker;
const ask = (...words: string[]) => stint(words, folder, broker.environment);

beforeAll(async () => {
  broker = await startLiveBroker(folder);
});
afterAll(() => broker.end("SIGTERM"));

it("the life of a job with who did what, and all of it for an auditor", () => {
  const procs = JSON.parse(ask("site", "list", "-o", "json").out).items[0].spec.procs;
  const first = ask("submit", "-n", String(procs), "--", "sleep", "60").out.trim();
  const second = ask("submit", "-n", String(procs), "--", "true").out.trim();
  for (const words of [
    ["hold", second],
    ["release", second],
    ["cancel", second],
    ["cancel", first],
  ]) {
    expect(ask(...words).code).toBe(0);
  }
  const me = JSON.parse(ask("status", second, "-o", "json").out).owner;
  const { items } = JSON.parse(ask("events", second, "-o", "json").out);
  const said = items.map(({ text, by, state }: Record<string, unknown>) => [text, by, state]);
  expect(said.slice(0, 2)).toEqual([
    [expect.stringContaining("submitted for "), me, "WAITING"],
    ["sent to local", null, "SCHEDULED"],
  ]);
  expect(said.slice(-3)).toEqual([
    ["held", me, "HELD"],
    ["released", me, null],
    ["cancelled", me, "CANCELLED"],
  ]);
  // Of a job that is over, following ends at once, with all of its life.
  const followed = ask("events", first, "--follow", "-o", "json").out.trimEnd().split("\n");
  expect(JSON.parse(followed.at(-1) ?? "{}")).toMatchObject({ job: first });
  const table = ask("events", second).out;
  expect(table).toMatch(new RegExp(`${second} +HELD +${me} +held$`, "m"));

  const token = (role: string, ...more: string[]) =>
    ask("token", "create", "--role", role, ...more).out.trim();
  const by = (secret: string, ...words: string[]) =>
    stint(words, folder, { ...broker.environment, STINT_TOKEN: secret, STINT_URL: broker.url });
  const all = JSON.parse(by(token("auditor"), "events", "-o", "json").out).items;
  const kinds = new Set(all.map(({ kind }: { readonly kind: string }) => kind));
  for (const kind of ["siteAdded", "tokenCreated", "jobAccepted", "jobHeld"]) expect(kinds).toContain(kind);
  expect(JSON.stringify(all)).not.toMatch(/"hash"/);
  const other = by(token("user", "--vo", "local/all/somebody"), "events");
  expect(other).toMatchObject({ code: 0, out: "", err: "stint: no events found\n" });
});
