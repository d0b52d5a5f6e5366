/** Jobs that an administrator submits for somebody, on a real broker: who sees them, and who acts on them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { stint, temporaryFolder } from "./stint.ts";

describe("a job submitted for somebody", () => {
  const folder = temporaryFolder();
  let broker: LiveBroker;
  beforeAll(async () => {
    broker = await startLiveBroker(folder);
  });
  afterAll(() => broker.end("SIGTERM"));
  const admin = (...words: string[]) => stint(words, folder, broker.environment);
  /** Whoever has a token of a user with this consumer path. */
  const userOf = (consumer: string) => {
    const { out } = admin("token", "create", "--role", "user", "--vo", consumer);
    const environment = { STINT_URL: broker.url, STINT_TOKEN: out.trim() };
    return (...words: string[]) => stint(words, folder, { ...broker.environment, ...environment });
  };
  const submitted = (who: typeof admin, ...words: string[]) =>
    who("submit", "-o", "name", ...words, "--", "sleep", "600").out.trim();
  const idsOf = (who: typeof admin, ...words: string[]) =>
    who("list", "-o", "name", ...words)
      .out.split("\n")
      .filter((id) => id !== "");

  it("is seen by the submitter and by exactly whom it is for, who may act on it", () => {
    const [ann, bob, below] = [userOf("cms/ann"), userOf("cms/bob"), userOf("cms/ann/x")];
    const forAnn = submitted(admin, "--for", "cms/ann");
    const forBelow = submitted(admin, "--for", "cms/ann/x");
    const own = submitted(ann);
    expect(idsOf(admin)).toEqual([own, forBelow, forAnn]);
    expect(idsOf(ann)).toEqual([own, forAnn]);
    expect(idsOf(below)).toEqual([forBelow]);
    expect(idsOf(bob)).toEqual([]);
    expect(idsOf(ann, "--owner", "cms/ann")).toEqual([own]);
    const job = JSON.parse(ann("status", forAnn.slice(0, 6), "-o", "json").out);
    expect(job).toMatchObject({ id: forAnn, consumer: "cms/ann" });
    expect(job.owner).not.toBe("cms/ann");
    expect(idsOf(ann, "--owner", job.owner)).toEqual([forAnn]);
    const said = JSON.parse(ann("events", forAnn, "-o", "json").out).items;
    expect(said.map(({ kind }: { readonly kind: string }) => kind)).toContain("jobAccepted");
    expect(bob("status", forAnn)).toMatchObject({ code: 3, out: "" });
    expect(bob("cancel", forAnn).code).toBe(3);
    expect(ann("cancel", forBelow).code).toBe(3);
    expect(ann("cancel", forAnn).code).toBe(0);
    expect(admin("cancel", own, forBelow).code).toBe(0);
  });
});
