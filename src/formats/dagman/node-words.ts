/** Statements about nodes that are there already: RETRY, VARS, SCRIPT, PRIORITY and others. */
import { echoText } from "../echo-text.ts";
import type { Course, DagLine, NodeDraft, NodeScript } from "./pieces.ts";

/** Reads a statement about nodes; a text says what is wrong. */
export type NodeStatement = (words: readonly string[], line: DagLine, course: Course) => string | undefined;

/** Nodes that a statement names; undefined where there is none. */
function named(name: string, course: Course): readonly NodeDraft[] | undefined {
  if (name.toUpperCase() === "ALL_NODES") {
    return [...course.nodes.values()].filter(({ isFinal }) => isFinal !== true);
  }
  const node = course.nodes.get(course.prefix + name);
  return node === undefined ? undefined : [node];
}

/** Applies to named nodes once all are known. */
function onNodes(then: (node: NodeDraft, words: readonly string[]) => string | undefined): NodeStatement {
  return ([name = "", ...words], line, course) => {
    if (name === "") return "it names a node";
    course.later.push(() => {
      const nodes = named(name, course);
      const wrong =
        nodes === undefined ? `${echoText(name)} is not a node` : first(nodes, (node) => then(node, words));
      if (wrong !== undefined) course.account.refuse(line, badStatement(line, wrong));
    });
    return undefined;
  };
}

function first(
  nodes: readonly NodeDraft[],
  then: (node: NodeDraft) => string | undefined,
): string | undefined {
  for (const node of nodes) {
    const wrong = then(node);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** A whole number within bounds. */
function numberOf(text: string | undefined, least: number, most: number): number | undefined {
  const value = /^-?\d{1,9}$/.test(text ?? "") ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

const CODE = "exit codes are 0 to 255";

/** Every statement about nodes. */
export const NODE_STATEMENTS: Readonly<Record<string, NodeStatement>> = {
  RETRY: onNodes((node, [count, unless, code]) => {
    const retries = numberOf(count, 0, 1000);
    if (retries === undefined) return "a node is run again 0 to 1000 times";
    node.retries = retries;
    if (unless === undefined) return undefined;
    const exitCode = numberOf(code, 0, 255);
    if (unless.toUpperCase() !== "UNLESS-EXIT" || exitCode === undefined) return `UNLESS-EXIT CODE; ${CODE}`;
    node.unlessExit = exitCode;
    return undefined;
  }),
  "ABORT-DAG-ON": onNodes((node, [code, word, value]) => {
    const exitCode = numberOf(code, 0, 255);
    const result = word === undefined ? exitCode : numberOf(value, 0, 255);
    if (exitCode === undefined || result === undefined) return `CODE, or CODE RETURN VALUE; ${CODE}`;
    if (word !== undefined && word.toUpperCase() !== "RETURN") return "behind the code is RETURN VALUE";
    node.abortOn = { exitCode, result };
    return undefined;
  }),
  PRIORITY: onNodes((node, [value]) => {
    const priority = numberOf(value, -1_000_000, 1_000_000);
    if (priority === undefined) return "a priority is a whole number";
    node.priority = priority;
    return undefined;
  }),
  PRE_SKIP: onNodes((node, [value]) => {
    const exitCode = numberOf(value, 0, 255);
    if (exitCode === undefined) return CODE;
    node.preSkip = exitCode;
    return undefined;
  }),
  DONE: onNodes((node) => {
    node.skip ??= "done";
    return undefined;
  }),
  CATEGORY: ([name = "", category], line, course) => {
    if (category === undefined) return "it names a node and a category";
    const whole = categoryName(category, course);
    return onNodes((node) => {
      node.category = whole;
      return undefined;
    })([name], line, course);
  },
  VARS: (_, line, course) => readVariables(line, course),
  SCRIPT: readScript,
};

/** Categories of a splice are its own, unless they begin with a plus. */
export function categoryName(category: string, { prefix }: Course): string {
  return category.startsWith("+") ? category.slice(1) : `${prefix}${category}`;
}

const VARIABLE = /\s+(?:(PREPEND|APPEND)\s+)?((?:\+|My\.)?[A-Za-z_][\w.]*)\s*=\s*"((?:\\.|[^"\\])*)"/giy;

function readVariables({ at, written, words }: DagLine, course: Course): string | undefined {
  const head = /^\S+\s+\S+/.exec(written)?.[0] ?? "";
  const variables: [string, string][] = [];
  VARIABLE.lastIndex = head.length;
  let end = head.length;
  for (let match = VARIABLE.exec(written); match !== null; match = VARIABLE.exec(written)) {
    const [, , name = "", value = ""] = match;
    variables.push([name.toLowerCase().replace(/^\+/, "my."), value.replace(/\\(["\\])/g, "$1")]);
    end = VARIABLE.lastIndex;
  }
  if (variables.length === 0 || written.slice(end).trim() !== "") return 'it is VARS NODE name="value" …';
  return onNodes((node) => {
    for (const [name, value] of variables) node.variables.set(name, value);
    return undefined;
  })([words[1] ?? ""], { at, written, words }, course);
}

/** `SCRIPT [DEFER STATUS SECONDS] [DEBUG FILE TYPE] PRE|POST|HOLD NODE PROGRAM ARGUMENTS…`. */
function readScript(given: readonly string[], line: DagLine, course: Course): string | undefined {
  let words = given;
  let defer: NodeScript["defer"];
  for (
    let option = words[0]?.toUpperCase();
    option === "DEFER" || option === "DEBUG";
    option = words[0]?.toUpperCase()
  ) {
    if (option === "DEFER") {
      const exitCode = numberOf(words[1], 0, 255);
      const sec = numberOf(words[2], 0, 86_400);
      if (exitCode === undefined || sec === undefined)
        return "DEFER has an exit code and seconds, a day at most";
      defer = { exitCode, sec };
    }
    words = words.slice(3);
  }
  const [when = "", name = "", ...program] = words;
  const which = when.toUpperCase();
  if (which === "HOLD") {
    const why = "nothing runs when a job is held";
    course.account.tell(line, { verdict: "notTranslated", why });
    return undefined;
  }
  if (which !== "PRE" && which !== "POST") return "it is PRE, POST or HOLD";
  if (program.length === 0) return "it names a node and a program";
  const script: NodeScript = { words: program, ...(defer === undefined ? {} : { defer }) };
  return onNodes((node) => {
    if (which === "PRE") node.pre = script;
    else node.post = script;
    return undefined;
  })([name], line, course);
}

/** Words about a line that is wrong. */
export function badStatement({ written }: DagLine, why: string) {
  return {
    code: "dagLine",
    what: `${echoText(written)} was not understood`,
    why,
    remedy: "correct it, or take it out",
  };
}
