/**
 * `npm run prose [FOLDER]`: every docstring of the sources, every help text and every message, each at its
 * place, for readers. Flagged are docstrings that begin with a pronoun or a question word, and messages and
 * help texts with an everyday word in the place of a term. Without FOLDER: src/.
 */
import { repositoryRoot } from "./house/finding.ts";
import {
  beginsWithPronoun,
  beginsWithQuestion,
  everydayWordsIn,
  type Passage,
  passagesIn,
} from "./house/prose.ts";
import { isSource, isTest, listFiles, readText } from "./house/tree.ts";

const folder = (process.argv[2] ?? "src").replace(/\/$/, "");
const passages = listFiles(repositoryRoot, folder)
  .filter((file) => isSource(file) && !isTest(file))
  .flatMap((file) => passagesIn({ file, text: readText(repositoryRoot, file) ?? "" }));
if (passages.length === 0) {
  console.error(`prose: no text in ${folder}`);
  console.error("    instead: name a folder of the repository, as in npm run prose src/store");
  process.exitCode = 1;
}

function flagOf({ kind, text }: Passage): string | undefined {
  if (kind === "docstring") {
    if (beginsWithPronoun(text)) return "begins with a pronoun";
    return beginsWithQuestion(text) ? "begins with a question word" : undefined;
  }
  const words = everydayWordsIn(text);
  return words.length > 0 ? words.join(", ") : undefined;
}

const count: Record<Passage["kind"], { all: number; flagged: number }> = {
  docstring: { all: 0, flagged: 0 },
  help: { all: 0, flagged: 0 },
  message: { all: 0, flagged: 0 },
  sentence: { all: 0, flagged: 0 },
};
for (const passage of passages) {
  const { kind, file, line, text } = passage;
  const flag = flagOf(passage);
  count[kind].all += 1;
  if (flag !== undefined) count[kind].flagged += 1;
  console.log(
    `${file}:${line} ${kind}${flag === undefined ? "" : ` [${flag}]`}: ${text.replace(/\s+/g, " ").trim()}`,
  );
}
for (const [kind, { all, flagged }] of Object.entries(count)) {
  console.log(`${kind.padEnd(10)}${String(all).padStart(7)}, ${flagged} flagged`);
}
