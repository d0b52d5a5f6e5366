/**
 * `npm run test:all`: every test. Whole programs and clusters mostly wait, so they run beside each other, and
 * the units follow, which keep all processors busy. `npm run test:all -- WORD…` hands these words to vitest.
 */
import { build } from "./house/build.mjs";
import { passes, type Ran, runAside } from "./house/vitest.ts";

async function passesAll(): Promise<boolean> {
  // Once for all, who would build it at the same time.
  await build();
  const aside = ["cluster", "unit"] as const;
  const programs = passes(["--project", "program"]);
  const ran: (Ran & { readonly project: string })[] = [];
  for (const project of aside) ran.push({ project, ...(await runAside(["--project", project])) });
  const isPassed = await programs;
  // What failed comes last, where a log is read first.
  const inOrder = ran.toSorted((one, other) => Number(other.isPassed) - Number(one.isPassed));
  for (const { output } of inOrder) process.stdout.write(output);
  const all = [{ project: "program", isPassed }, ...ran];
  console.log(all.map((one) => `${one.project}: ${one.isPassed ? "passed" : "FAILED"}`).join("\n"));
  return all.every((one) => one.isPassed);
}

const asked = process.argv.slice(2);
if (!(asked.length > 0 ? await passes(asked) : await passesAll())) process.exitCode = 1;
