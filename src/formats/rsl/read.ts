/** Reads RSL: a request is a job, and `+` joins several. */
import { nearestWord } from "../../base/index.ts";
import { echoText } from "../echo-text.ts";
import { type Account, beginAccount, beginJob, notTranslated } from "../job-draft/index.ts";
import type { DescribedJob, JobReading, JobSurroundings } from "../job-reading/index.ts";
import type { Words } from "../yaml/index.ts";
import { ATTRIBUTES, type AttributeValues } from "./attributes.ts";
import { parseRsl, type RslPart, type RslRelation, type RslRequest, type RslValue } from "./parse.ts";

const MOST_JOBS = 10_000;

/** Reads a text; never throws on its content. */
export function readRsl(text: string, surroundings: JobSurroundings): JobReading {
  const account = beginAccount(text);
  const request = parseRsl(text);
  if ("why" in request) {
    account.notes.problem(request.at, { ...noRsl, why: request.why });
    return account.reading([]);
  }
  const jobs: DescribedJob[] = [];
  const frame = { text, account, surroundings, jobs };
  const variables: Variables = { values: new Map(), budget: { left: MOST_CHARACTERS } };
  readRequest(request, variables, frame);
  if (variables.budget.left < 0) account.notes.problem(0, tooLong);
  return account.reading(account.notes.problemCount() === 0 ? jobs : []);
}

interface Frame {
  readonly text: string;
  readonly account: Account;
  readonly surroundings: JobSurroundings;
  readonly jobs: DescribedJob[];
}

/** Values of variables, and how many characters all texts may still have. */
interface Variables {
  readonly values: ReadonlyMap<string, string>;
  readonly budget: { left: number };
}

const MOST_CHARACTERS = 4_000_000;

function readRequest(request: RslRequest, outer: Variables, frame: Frame): void {
  const { account, jobs, text, surroundings } = frame;
  if (request.operator === "|") {
    account.notes.problem(request.at, noChoice);
    return;
  }
  const variables = withSubstitutions(request.relations, outer, frame);
  for (const inner of request.requests) readRequest(inner, variables, frame);
  const relations = request.relations.filter(({ name }) => plainName(name) !== "rslsubstitution");
  if (relations.length === 0) return;
  if (jobs.length >= MOST_JOBS) {
    account.notes.problem(request.at, tooMany);
    return;
  }
  const draft = beginJob(account);
  for (const relation of relations) {
    const directive = { at: relation.at, written: text.slice(relation.at, relation.end) };
    const read = ATTRIBUTES.get(plainName(relation.name));
    if (read === undefined) draft.take(directive, unknown(relation.name));
    else if (relation.operator !== "=") draft.take(directive, notTranslated("only = says what a job has"));
    else {
      const outcomes = read(valuesOf(relation.values, variables), surroundings);
      draft.take(directive, outcomes);
      if ("length" in outcomes && outcomes.length === 0)
        draft.take(directive, notTranslated("it has no values"));
    }
  }
  const job = draft.finished({ at: request.at, usual: {} });
  if (job !== undefined) jobs.push(job);
}

/** Variables of `rsl_substitution`, which the later ones of it may name. */
function withSubstitutions(
  relations: readonly RslRelation[],
  outer: Variables,
  { account, text }: Pick<Frame, "account" | "text">,
): Variables {
  const values = new Map(outer.values);
  const variables = { ...outer, values };
  for (const relation of relations) {
    if (plainName(relation.name) !== "rslsubstitution") continue;
    for (const value of relation.values) {
      if (value.kind !== "list") continue;
      const [name, ...rest] = value.values.map((one) => textOf(one, variables));
      if (name !== undefined) values.set(name, rest.join(" "));
    }
    const directive = { at: relation.at, written: text.slice(relation.at, relation.end) };
    account.tell(directive, { verdict: "translated", becomes: "values of variables" });
  }
  return variables;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

function valuesOf(values: readonly RslValue[], variables: Variables): AttributeValues {
  const texts = values.filter(({ kind }) => kind === "text").map((value) => textOf(value, variables));
  const lists = values.flatMap((value) =>
    value.kind === "list" ? [value.values.map((one) => textOf(one, variables))] : [],
  );
  return { texts, lists };
}

/** Text of a value; lists within have blanks between. */
function textOf(value: RslValue, variables: Variables): string {
  if (value.kind === "list") return value.values.map((one) => textOf(one, variables)).join(" ");
  let text = "";
  for (const part of value.parts) {
    const more = partText(part, variables);
    variables.budget.left -= more.length;
    if (variables.budget.left < 0) break;
    text += more;
  }
  return text;
}

/** Variables without a value stay as they are: GRAM alone knows those. */
function partText(part: RslPart, variables: Variables): string {
  if ("text" in part) return part.text;
  return variables.values.get(part.variable) ?? part.usual ?? `$(${part.variable})`;
}

function unknown(name: string) {
  const nearest = nearestWord(plainName(name), [...ATTRIBUTES.keys()]);
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return notTranslated(`${echoText(name)} is not an attribute that Stint knows${hint}`);
}

const noRsl: Words = {
  code: "rslSyntax",
  what: "this is not RSL",
  why: "",
  remedy: "write &(attribute=value)(attribute=value); values with special characters are in quotes",
};

const noChoice: Words = {
  code: "rslChoice",
  what: "alternative requests are not supported",
  why: "a job has one description; the broker chooses among sites",
  remedy: "keep one of the requests",
};

const tooLong: Words = {
  code: "rslTooLong",
  what: "the text becomes too long",
  why: `after substitution of its variables it exceeds ${MOST_CHARACTERS} characters`,
  remedy: "shorten the values of rsl_substitution",
};

const tooMany: Words = {
  code: "tooManyJobs",
  what: "there are too many jobs",
  why: `a file has at most ${MOST_JOBS} jobs`,
  remedy: "split the file",
};
