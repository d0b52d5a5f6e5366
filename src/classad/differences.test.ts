import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { worth } from "../../test/classad-value.ts";

const reference = readFileSync(new URL("../../docs/reference/classads.md", import.meta.url), "utf8");
const rows = [...reference.matchAll(/^\| `(.+?)` \| `(.+?)` \| `(.+?)` \| (.+) \|$/gm)].map(
  ([, text = "", there = "", here = "", reason = ""]) => ({ text, there, here, reason }),
);

describe("differences from HTCondor in the reference", () => {
  it("are listed", () => {
    expect(rows.length).toBeGreaterThan(20);
  });

  it.each(rows)("$text is $here here", ({ text, there, here, reason }) => {
    expect(worth(text)).toBe(here);
    expect(here).not.toBe(there);
    expect(reason.length).toBeGreaterThan(4);
  });
});
