import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { instantText, localTimes } from "./instant-text.ts";

/** What a program in this zone writes, at noon of a Tuesday in UTC. */
function inZone(zone: string, expression: string): string {
  const program = `
    const { datedText, instantText, localTimes, whenOrNone, whenText } = await import(${JSON.stringify(
      resolve(import.meta.dirname, "instant-text.ts"),
    )});
    const nowMs = Date.parse("2026-11-24T12:00:00Z");
    process.stdout.write(${expression});`;
  const words = ["--import", "tsx", "--input-type=module", "--eval", program];
  return execFileSync(process.execPath, words, { encoding: "utf8", env: { ...process.env, TZ: zone } });
}

/** All of these in one program: starting one takes longer than all of them. */
function allInZone(zone: string, expressions: readonly string[]): readonly string[] {
  return JSON.parse(inZone(zone, `JSON.stringify([${expressions.join(",")}])`));
}

describe("instants for people", () => {
  const when = (iso: string) => `whenText("${iso}", nowMs)`;
  const cases: readonly (readonly [string, string])[] = [
    ["2026-11-24T14:05:00Z", "in 2h05m, Tue 15:05"],
    ["2026-11-24T12:00:00.400Z", "now, Tue 13:00"],
    ["2026-11-24T11:59:18Z", "42s ago, Tue 12:59"],
    ["2026-11-24T11:47:30Z", "12m30s ago, Tue 12:47"],
    ["2026-11-24T23:30:00Z", "in 11h30m, Wed 00:30"],
    ["2026-11-20T08:00:00Z", "4d04h ago, Fri 09:00"],
    ["2026-12-05T14:10:00Z", "in 11d02h, 5 Dec 15:10"],
    ["2026-06-01T12:00:00Z", "176d00h ago, 1 Jun 14:00"],
    ["2028-02-29T12:00:00Z", "in 462d00h, 2028-02-29"],
    ["2030-02-28T12:00:00Z", "in 3y, 2030-02-28"],
  ];

  it("CL-45 are relative and in the reader's own zone, summer time included", () => {
    const said = allInZone(
      "Europe/Rome",
      cases.map(([iso]) => when(iso)),
    );
    expect(said).toEqual(cases.map(([, text]) => text));
  });

  it("CL-45 follow TZ, to the second where they are details", () => {
    const said = (zone: string) =>
      allInZone(zone, ['datedText("2026-11-24T14:05:09Z", nowMs)', "whenOrNone(null, nowMs)"]);
    expect(said("Asia/Tokyo")).toEqual(["2026-11-24 23:05:09 UTC+9 (in 2h05m)", "-"]);
    expect(said("America/New_York")).toEqual(["2026-11-24 09:05:09 UTC-5 (in 2h05m)", "-"]);
  });

  it("CL-45 to the second have their zone, as it was then", () => {
    const said = (zone: string) =>
      allInZone(zone, ['instantText("2026-06-24T12:00:00Z")', 'instantText("2026-11-24T12:00:00Z")']);
    expect(said("UTC")).toEqual(["2026-06-24 12:00:00 UTC", "2026-11-24 12:00:00 UTC"]);
    expect(said("America/St_Johns")).toEqual([
      "2026-06-24 09:30:00 UTC-2:30",
      "2026-11-24 08:30:00 UTC-3:30",
    ]);
  });

  it("in sentences of the broker are in the same zone", () => {
    const sentence = JSON.stringify("it begins at 2026-11-24T14:05:09Z, and ends by 2026-11-24T15:00:00.5Z");
    expect(inZone("Asia/Tokyo", `localTimes(${sentence})`)).toBe(
      "it begins at 2026-11-24 23:05:09 UTC+9, and ends by 2026-11-25 00:00:00 UTC+9",
    );
  });

  it("in these sentences have their distance where an instant to count from is given", () => {
    expect(inZone("Asia/Tokyo", 'localTimes("it begins at 2026-11-24T14:05:09Z", nowMs)')).toBe(
      "it begins at 2026-11-24 23:05:09 UTC+9 (in 2h05m)",
    );
  });

  it("that were typed, are to be typed, or are none stay", () => {
    for (const text of [
      'stint: --start: "2026-11-24T14:05:09Z" was not understood',
      "write for instance --from 2026-11-24T14:05:09Z",
      "--until=2026-11-24T14:05:09Z",
      "at 2026-13-45T14:05:09Z",
      "2026-11-24T14:05:09+01:00",
    ]) {
      expect(localTimes(text)).toBe(text);
    }
    expect(localTimes("since 2026-11-24T14:05:09Z.")).toBe(`since ${instantText("2026-11-24T14:05:09Z")}.`);
  });
});
