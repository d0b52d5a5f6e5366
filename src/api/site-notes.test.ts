import { describe, expect, it } from "vitest";
import { serve } from "../../test/api/serving.ts";
import type { Identity } from "../model/index.ts";

const as = (who: Partial<Identity>) => ({
  identify: (): Identity => ({ owner: "me", consumer: "local/me", role: "operator", ...who }),
});
const path = "/api/v1/sites/local/note";

describe("notes at sites", () => {
  it("one is left with its end, or without; the site is the answer", async () => {
    const { send, brokerApi } = await serve(as({}));
    const body = { text: "new disks on Monday", until: "2026-11-23T18:00:00Z" };
    expect(await send("PUT", path, { body })).toMatchObject({ status: 200, json: { name: "local" } });
    const asked = { kind: "noteSite", site: "local", text: body.text, by: "me" };
    expect(brokerApi.asked.at(-1)).toEqual({ ...asked, untilMs: Date.UTC(2026, 10, 23, 18) });
    await send("PUT", path, { body: { text: body.text } });
    expect(brokerApi.asked.at(-1)).toEqual({ ...asked, untilMs: null });
    await send("DELETE", path);
    expect(brokerApi.asked.at(-1)).toEqual({ kind: "clearSiteNote", site: "local", by: "me" });
  });

  it("the site shows the one that stands", async () => {
    const { client, brokerApi } = await serve(as({ role: "user" }));
    expect((await client.site("local")).note).toBeUndefined();
    const times = { sinceMs: Date.UTC(2026, 10, 20), untilMs: null };
    brokerApi.siteNotes.set("local", { site: "local", text: "slow", ...times, by: "ann" });
    const note = { text: "slow", since: "2026-11-20T00:00:00.000Z", until: null, by: "ann" };
    expect((await client.site("local")).note).toEqual(note);
    expect((await client.sites()).map((site) => site.note)).toEqual([note]);
  });

  it("operators and admins leave notes everywhere, a site admin at its site", async () => {
    const rights = [
      { who: as({ role: "admin" }), status: 200 },
      { who: as({ role: "siteAdmin", site: "local" }), status: 200 },
      { who: as({ role: "siteAdmin", site: "far" }), status: 403 },
      { who: as({ role: "voAdmin" }), status: 403 },
      { who: as({ role: "auditor" }), status: 403 },
      { who: as({ role: "user" }), status: 403 },
    ];
    for (const { who, status } of rights) {
      const { send } = await serve(who);
      expect((await send("PUT", path, { body: { text: "slow" } })).status).toBe(status);
      expect((await send("DELETE", path)).status).toBe(status);
    }
  });

  it("a text of several lines, or of none, is told at its place; so is an unknown site", async () => {
    const { send, brokerApi } = await serve(as({}));
    for (const text of ["", "two\nlines", "x".repeat(501)]) {
      const answer = await send("PUT", path, { body: { text } });
      expect(answer).toMatchObject({ status: 400, json: { pointer: "/text" } });
    }
    const unknown = await send("PUT", "/api/v1/sites/nowhere/note", { body: { text: "slow" } });
    expect(unknown).toMatchObject({ status: 404, json: { type: "urn:stint:unknownSite" } });
    expect(brokerApi.asked).toEqual([]);
  });
});
