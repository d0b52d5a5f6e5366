/** Names of test clusters: files of tests run side by side, and a cluster of a test's own is made anew. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

it("a cluster of a test's own has a name that no other file of tests uses", () => {
  const files = ["test", "src/sites"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(root, folder, name)),
  );
  const uses = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\b(ownCluster|clusterUp)\("(\w+)"/g)].map(([, by, name]) => {
      return { file, name, isOwn: by === "ownCluster" };
    }),
  );
  const own = uses.filter(({ isOwn }) => isOwn);
  const shared = own.filter((it) => uses.some(({ file, name }) => name === it.name && file !== it.file));
  expect(own.length).toBeGreaterThan(5);
  expect(shared).toEqual([]);
});
