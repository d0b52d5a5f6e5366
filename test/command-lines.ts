/**
 * Command lines that nobody would write on purpose: options of each command, as its help lists them, with
 * values of the wrong kind, size or place.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";

/** A command with the options and the number of arguments in its help. */
interface Command {
  readonly words: readonly string[];
  readonly options: readonly { readonly name: string; readonly takesValue: boolean }[];
  readonly takesArguments: boolean;
}

/** Commands that serve or wait until they are stopped, or that stop the broker. */
const NOT_RUN = /^(up|down|demo|sensor|help|service|backup|restore|site connect|policy follow|completion)\b/;
const WAITING = new Set(["--follow", "--watch", "--help", "--every"]);

/** The commands of the program, from the pinned help texts. */
function commandsOfHelp(): readonly Command[] {
  const help = readFileSync(resolve(import.meta.dirname, "pins/fixtures/help.txt"), "utf8");
  return help
    .split(/^\$ stint /m)
    .slice(1)
    .map((text) => commandOf(text))
    .filter(({ words }) => words.length > 0 && !NOT_RUN.test(words.join(" ")));
}

function commandOf(text: string): Command {
  const [line = ""] = text.split("\n");
  const words = line.split(" ").filter((word) => word !== "--help");
  const options = [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z][a-z-]*)(?: (<[^>]+>))?/gm)]
    .map(([, name = "", value]) => ({ name, takesValue: value !== undefined }))
    .filter(({ name }) => !WAITING.has(name));
  return { words, options, takesArguments: /^Arguments:/m.test(text) };
}

const VALUES = [
  ..."0 -1 1e400 NaN Infinity 1.5 007 9007199254740993 -5m 1h30 25:61:61 99999d 3x 12Q 200%".split(" "),
  ..."2026-13-45 2026-11-24T00:00 yesterday -- - . .. / //// /nonexistent/file examples".split(" "),
  ..."examples/hello.yaml examples/poisson.swf local nowhere __proto__ constructor toString".split(" "),
  ..."a/b/c cms/ =x x= a=b=c %s%n%d".split(" "),
  "",
  " ",
  "{ a: [",
  "{}",
  "[1, 2",
  "null",
  "a\nb",
  "\u001b[31mred",
  "ünïcödé ✓ 🚀",
  "$(touch pwned)",
  "'; touch pwned; '",
  "9".repeat(400),
  "x".repeat(5000),
];

const value = fc.constantFrom(...VALUES);

/** Words of the command line for one command, with at most four options and three arguments. */
function wordsOf(command: Command): fc.Arbitrary<readonly string[]> {
  const option =
    command.options.length === 0
      ? fc.constant<readonly string[]>([])
      : fc
          .tuple(fc.constantFrom(...command.options), value)
          .map(([{ name, takesValue }, given]) => (takesValue ? [name, given] : [name]));
  const options = fc.array(option, { maxLength: 4 }).map((given) => given.flat());
  const operands = fc.array(value, { maxLength: command.takesArguments ? 3 : 1 });
  return fc.tuple(options, operands).map(([flags, last]) => [...command.words, ...flags, ...last]);
}

/** Command lines of all commands, each as likely. */
export const commandLines: fc.Arbitrary<readonly string[]> = fc
  .constantFrom(...commandsOfHelp())
  .chain(wordsOf);
