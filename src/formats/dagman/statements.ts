/** Statements that make nodes and join them: JOB, FINAL, SPLICE, SUBDAG, PARENT … CHILD, CONNECT, INCLUDE. */
import { dirname, isAbsolute, join } from "node:path";
import { MOST_DAG_DEPENDENCIES, MOST_DAG_NODES } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { beginAccount } from "../job-draft/index.ts";
import { type Statement, statementsOf } from "./lines.ts";
import { badStatement, categoryName, NODE_STATEMENTS } from "./node-words.ts";
import type { Course, DagLine, NodeDraft, Splice } from "./pieces.ts";

/** Files within files. */
const MOST_DEPTH = 16;

const NO_EFFECT: Readonly<Record<string, string>> = {
  DOT: "stint status shows the tree",
  NODE_STATUS_FILE: "stint status ID -o json has the states of all nodes",
  JOBSTATE_LOG: "stint events ID has what happened",
  SAVE_POINT_FILE: "every state is kept; stint retry goes on from the last one",
  CONFIG: "it configures one installation of HTCondor",
  ENV: "nodes have the environment of their submit files",
  SET_JOB_ATTR: "it is about the job of DAGMan itself, which is not there",
  DATA: "files are not moved between nodes; those of the replica catalogue are named in inputData",
  PROVISIONER: "resources are those of the sites",
  SERVICE: "nothing runs beside the nodes",
};

type Read = (statement: Statement, course: Course) => string | undefined;

const STATEMENTS: Readonly<Record<string, Read>> = {
  JOB: (statement, course) => readJob(statement, course, {}),
  FINAL: (statement, course) => {
    if (course.prefix !== "")
      return "a spliced DAG has no final node of its own here: write it in the outer one";
    return readJob(statement, course, { isFinal: true });
  },
  "SUBMIT-DESCRIPTION": ({ words, block }, course) => {
    if (words[1] === undefined || block === undefined) return "it is SUBMIT-DESCRIPTION NAME { … }";
    course.descriptions.set(words[1], block);
    return undefined;
  },
  SPLICE: (statement, course) => readSplice(statement, statement.words.slice(1), course),
  SUBDAG: (statement, course) => {
    const [, external = "", ...words] = statement.words;
    if (external.toUpperCase() !== "EXTERNAL") return "it is SUBDAG EXTERNAL NAME FILE";
    return readSplice(statement, words, course);
  },
  INCLUDE: (statement, course) => {
    const file = statement.words[1];
    return file === undefined ? "it names a file" : readFile(statement, pathOf(file, course), course);
  },
  PARENT: readParents,
  CONNECT: readConnect,
  PIN_IN: (statement, course) => readPin(statement, course, course.pinsIn),
  PIN_OUT: (statement, course) => readPin(statement, course, course.pinsOut),
  MAXJOBS: ({ words }, course) => {
    const [, category, count = ""] = words;
    if (category === undefined || !/^[1-9]\d{0,5}$/.test(count)) return "it is MAXJOBS CATEGORY NUMBER";
    course.limits.set(categoryName(category, course), Math.min(Number(count), MOST_DAG_NODES));
    return undefined;
  },
  REJECT: () => "the file has a REJECT statement here",
};

/** Reads all statements of a text. */
export function readStatements(text: string, course: Course): void {
  const { account } = course;
  const { list, openAt } = statementsOf(text);
  if (openAt !== undefined) account.notes.problem(openAt, OPEN_BRACE);
  for (const statement of list) {
    const word = (statement.words[0] ?? "").toUpperCase();
    const why = Object.hasOwn(NO_EFFECT, word) ? NO_EFFECT[word] : undefined;
    if (why !== undefined) {
      account.tell(statement, { verdict: "noEffect", why });
      continue;
    }
    const wrong = readOne(word, statement, course);
    if (wrong !== undefined) account.refuse(statement, badStatement(statement, wrong));
    else if (!account.knows(statement)) account.tell(statement, { verdict: "translated" });
    if (course.nodes.size > MOST_DAG_NODES || course.edges.size > MOST_DAG_DEPENDENCIES) {
      account.refuse(statement, TOO_MANY);
      return;
    }
  }
}

function readOne(word: string, statement: Statement, course: Course): string | undefined {
  if (Object.hasOwn(NODE_STATEMENTS, word)) {
    return NODE_STATEMENTS[word]?.(statement.words.slice(1), statement, course);
  }
  if (Object.hasOwn(STATEMENTS, word)) return STATEMENTS[word]?.(statement, course);
  return `${echoText(word)} is not a command of DAGMan`;
}

function pathOf(file: string, { surroundings: { folder } }: Course, directory = ""): string {
  return isAbsolute(file) ? file : join(folder, directory, file);
}

/** `DIR directory`, `NOOP` and `DONE` behind a file. */
function options(words: readonly string[]): { folder: string; skip?: "noop" | "done" } | string {
  let folder = "";
  let skip: "noop" | "done" | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]?.toUpperCase();
    if (word === "DIR" && words[at + 1] !== undefined) folder = words[++at] ?? "";
    else if (word === "NOOP" || word === "DONE") skip = word === "NOOP" ? "noop" : "done";
    else return `behind the file are DIR DIRECTORY, NOOP and DONE, not ${echoText(words[at] ?? "")}`;
  }
  return { folder, ...(skip === undefined ? {} : { skip }) };
}

function readJob(statement: Statement, course: Course, more: Pick<NodeDraft, "isFinal">): string | undefined {
  const [, name, file, ...rest] = statement.words;
  const { block } = statement;
  if (name === undefined || (file === undefined && block === undefined))
    return "it names a node and its submit file";
  const given = options(block === undefined ? rest : statement.words.slice(2));
  if (typeof given === "string") return given;
  const whole = course.prefix + name;
  if (course.nodes.has(whole) || course.splices.has(whole)) return `${echoText(name)} is there already`;
  const directory = given.folder;
  const text = block ?? course.descriptions.get(file ?? "");
  course.nodes.set(whole, {
    ...{ name: whole, line: statement, ...more },
    submit: text === undefined ? { file: pathOf(file ?? "", course, directory) } : { text },
    folder: isAbsolute(directory) ? directory : join(course.surroundings.folder, directory),
    ...{ parents: new Set<string>(), variables: new Map<string, string>() },
    ...(given.skip === undefined ? {} : { skip: given.skip }),
  });
  return undefined;
}

function readSplice(statement: Statement, words: readonly string[], course: Course): string | undefined {
  const [name, file, ...rest] = words;
  if (name === undefined || file === undefined) return "it names a DAG and its file";
  const given = options(rest);
  if (typeof given === "string") return given;
  const whole = course.prefix + name;
  if (course.nodes.has(whole) || course.splices.has(whole)) return `${echoText(name)} is there already`;
  const prefix = `${whole}+`;
  const before = new Set(course.nodes.keys());
  const inner: Course = { ...course, prefix, later: [], pinsIn: new Map(), pinsOut: new Map() };
  const wrong = readFile(statement, pathOf(file, course, given.folder), inner, given.folder);
  const own = [...course.nodes.values()].filter((node) => !before.has(node.name));
  if (given.skip !== undefined) for (const node of own) node.skip ??= given.skip;
  course.splices.set(whole, spliceOf(own, inner));
  return wrong;
}

function spliceOf(nodes: readonly NodeDraft[], { pinsIn, pinsOut }: Course): Splice {
  const names = new Set(nodes.map(({ name }) => name));
  const before = new Set(nodes.flatMap(({ parents }) => [...parents]));
  const initial = nodes.filter(({ parents }) => ![...parents].some((parent) => names.has(parent)));
  const terminal = nodes.filter(({ name }) => !before.has(name));
  return {
    ...{ pinsIn, pinsOut, initial: initial.map(({ name }) => name) },
    terminal: terminal.map(({ name }) => name),
  };
}

/** Reads a further file: what is wrong there is told at the line that names it, with its place there. */
function readFile(line: DagLine, path: string, course: Course, directory?: string): string | undefined {
  const { account, surroundings, open } = course;
  if (open.includes(path)) return `${echoText(path)} names itself: ${[...open, path].slice(-3).join(" → ")}`;
  if (open.length > MOST_DEPTH) return `files name each other more than ${MOST_DEPTH} deep`;
  const text = surroundings.readText?.(path);
  if (text === undefined) return "further files are read only for a description in a file";
  if (!text.ok) return text.refusal.why;
  const inner = beginAccount(text.value);
  const folder = directory === undefined ? surroundings.folder : dirname(path);
  const within: Course = {
    ...course,
    ...{ account: inner, open: [...open, path], surroundings: { ...surroundings, folder } },
  };
  readStatements(text.value, within);
  if (directory !== undefined) finishStatements(within);
  passOn(line, path, { account, inner, isLater: directory === undefined, course });
  return undefined;
}

interface Passing {
  readonly account: Course["account"];
  readonly inner: Course["account"];
  /** True where statements of the file are carried out later still. */
  readonly isLater: boolean;
  readonly course: Course;
}

function passOn(line: DagLine, path: string, { account, inner, isLater, course }: Passing): void {
  const tell = (): void => {
    const { problems, warnings, translations } = inner.reading([]);
    const at = ({ line: row = 1, column = 1 }: { line?: number; column?: number }): string =>
      `${path}:${row}:${column}`;
    for (const one of problems) account.notes.problem(line.at, { ...one, what: `${at(one)}: ${one.what}` });
    for (const one of warnings) account.notes.warning(line.at, { ...one, what: `${at(one)}: ${one.what}` });
    for (const { line: row, written, ...one } of translations) {
      if (one.verdict === "translated") continue;
      account.tell({ at: line.at, written: `${path}:${row}: ${written}` }, one);
    }
  };
  if (isLater) course.later.push(tell);
  else tell();
}

/** Carries out what was said of nodes. */
export function finishStatements(course: Course): void {
  for (const then of course.later.splice(0)) then();
}

/** Names of nodes that stand for a node or a splice on one side of a dependency. */
function side(name: string, course: Course, which: "initial" | "terminal"): readonly string[] | undefined {
  const whole = course.prefix + name;
  if (course.nodes.has(whole)) return [whole];
  return course.splices.get(whole)?.[which];
}

function readParents(statement: Statement, course: Course): string | undefined {
  const words = statement.words.slice(1);
  const middle = words.findIndex((word) => word.toUpperCase() === "CHILD");
  if (middle < 1 || middle === words.length - 1) return "it is PARENT NODES CHILD NODES";
  course.later.push(() => {
    const sides = [words.slice(0, middle), words.slice(middle + 1)] as const;
    for (const name of words.filter((_, at) => at !== middle)) {
      if (side(name, course, "initial") !== undefined) continue;
      course.account.refuse(
        statement,
        badStatement(statement, `${echoText(name)} is not a node or a splice`),
      );
      return;
    }
    const before = sides[0].flatMap((name) => side(name, course, "terminal") ?? []);
    const after = sides[1].flatMap((name) => side(name, course, "initial") ?? []);
    joined(before, after, { statement, course });
  });
  return undefined;
}

function joined(
  before: readonly string[],
  after: readonly string[],
  { statement, course }: { readonly statement: Statement; readonly course: Course },
): void {
  if (course.edges.size + before.length * after.length > MOST_DAG_DEPENDENCIES) {
    course.account.refuse(statement, TOO_MANY);
    return;
  }
  for (const child of after) {
    const { parents } = course.nodes.get(child) ?? {};
    for (const parent of before) {
      parents?.add(parent);
      course.edges.set(`${parent}\n${child}`, statement);
    }
  }
}

function readPin({ words }: Statement, course: Course, pins: Map<number, string[]>): string | undefined {
  const [, name, number = ""] = words;
  if (name === undefined || !/^[1-9]\d{0,3}$/.test(number))
    return "it is a node and the number of a pin, from 1";
  const at = Number(number);
  pins.set(at, [...(pins.get(at) ?? []), course.prefix + name]);
  return undefined;
}

/** Joins the pins of two splices by their numbers. */
function readConnect(statement: Statement, course: Course): string | undefined {
  const [, one = "", other = ""] = statement.words;
  course.later.push(() => {
    const [from, to] = [one, other].map((name) => course.splices.get(course.prefix + name));
    const wrong = from === undefined || to === undefined ? "it names two splices" : unequal(from, to);
    if (wrong !== undefined || from === undefined || to === undefined) {
      course.account.refuse(statement, badStatement(statement, wrong ?? ""));
      return;
    }
    for (const [number, before] of from.pinsOut) {
      joined(before, to.pinsIn.get(number) ?? [], { statement, course });
    }
  });
  return undefined;
}

function unequal(from: Splice, to: Splice): string | undefined {
  if (from.pinsOut.size === 0) return "the first splice has no PIN_OUT";
  const isSame =
    from.pinsOut.size === to.pinsIn.size && [...from.pinsOut.keys()].every((pin) => to.pinsIn.has(pin));
  return isSame ? undefined : "the pins out of the first and into the second have different numbers";
}

const OPEN_BRACE = {
  code: "dagLine",
  what: "a description in braces is not closed",
  why: "the file ends before its }",
  remedy: "write } on a line of its own behind its last line",
};

const TOO_MANY = {
  code: "tooManyJobs",
  what: "the DAG is too large",
  why: `it may have at most ${MOST_DAG_NODES} nodes and ${MOST_DAG_DEPENDENCIES} dependencies`,
  remedy: "split it, or put a NOOP node between two large groups",
};
