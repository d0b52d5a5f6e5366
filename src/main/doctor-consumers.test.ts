import { expect, it } from "vitest";
import { examineConsumers, type HeldToken, type HoldingNow } from "./doctor.ts";

const token = (consumer: string, change: Partial<HeldToken> = {}): HeldToken => ({
  ...{ consumer, role: "user", state: "valid" },
  ...change,
});
const speakingOf = (...consumers: readonly string[]): HoldingNow => ({
  now: { policies: consumers.map((consumer) => ({ consumer })) },
});

it("a token of whom no policy speaks is named, with those of whom they do", () => {
  const policies = speakingOf("cms", "cms/top", "atlas");
  const wrong = examineConsumers([token("cmss/ann"), token("cms/bob"), token("cmss/cy")], policies);
  expect(wrong).toMatchObject({
    isWell: false,
    found: "tokens are of cmss, and the policies speak of atlas, cms",
    remedy: expect.stringContaining("virtualOrganisation"),
  });
  const others = [token("local/root", { role: "admin" }), token("cmss/old", { state: "revoked" })];
  expect(examineConsumers([...others, token("atlas/x")], policies)).toMatchObject({ isWell: true });
  expect(examineConsumers([token("cmss/ann")], { now: null })).toBeUndefined();
});
