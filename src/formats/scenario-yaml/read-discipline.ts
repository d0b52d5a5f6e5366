/**
 * Reads who decides the starts at a scenario's site: a discipline of ours, or a program.
 *
 * What a program is given besides its name may be files or not, and nobody but the program knows; so it
 * runs in the scenario's folder, from which its own path counts too.
 */
import { join } from "node:path";
import { DISCIPLINES, type Discipline, type ProgramDiscipline } from "../../model/index.ts";
import { splitShellWords } from "../job-yaml/index.ts";
import { type Surroundings, wordOf } from "../stint-yaml/index.ts";
import { type NamedValue, oneText, shown, type Words } from "../yaml/index.ts";
import { whyUnreadable } from "./values.ts";

const EXAMPLE = "discipline: easy, or discipline: exec:python3 mine.py";

/** The discipline; undefined, with a problem, where it is none or its program is not there. */
export function disciplineOf(
  named: NamedValue,
  surroundings: Surroundings,
): Discipline | ProgramDiscipline | undefined {
  const { value, notes, name } = named;
  if (value.kind !== "scalar" || !value.text.startsWith("exec:")) {
    return wordOf(named, DISCIPLINES, EXAMPLE);
  }
  const written = oneText(named, EXAMPLE);
  if (written === undefined) return undefined;
  const command = written.text.slice("exec:".length);
  const wrong = wrongCommand(command, surroundings);
  if (wrong === undefined) return `exec:${command}`;
  notes.problem(written.at, { ...wrong, what: `${shown(name)}: ${wrong.what}` });
  return undefined;
}

function wrongCommand(command: string, { folder, fileState }: Surroundings): Words | undefined {
  const split = splitShellWords(command);
  if (!split.ok) {
    const { mark, index } = split.refusal;
    return notNamed(`the ${mark} at character ${index + 1} of the command is open`);
  }
  const [program] = split.value.words;
  if (!program) return notNamed("nothing comes after exec:");
  // Without a slash it is looked for in PATH, when it is begun.
  if (!program.includes("/")) return undefined;
  const path = program.startsWith("/") ? program : join(folder, program);
  const state = fileState(path);
  if (state === "readable") return undefined;
  return {
    code: "programUnreadable",
    what: `the program ${shown(program)} cannot be begun`,
    why: `${whyUnreadable(state)}, looked for at ${path}`,
    remedy: "relative paths begin at the folder of the scenario, where the program runs too",
  };
}

function notNamed(why: string): Words {
  return {
    code: "programNotNamed",
    what: "this names no program",
    why,
    remedy: "write for instance discipline: exec:python3 mine.py --window 5",
  };
}
