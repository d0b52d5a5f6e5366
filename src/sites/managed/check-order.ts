/**
 * Validates a launch order before the site acts on it: names stay in the job's directory, and texts are
 * ones that the system accepts.
 *
 * An order that fails here would fail every time, so it is refused as a whole.
 */
import { constants } from "node:os";
import { isAbsolute } from "node:path";
import { Fault } from "../../base/index.ts";
import { clashingName, isInnerPath } from "../../model/index.ts";
import type { LaunchOrder } from "../../runtime/index.ts";
import { isBaseName, isToken } from "./places.ts";

/** @throws Fault `badLaunchOrder`, which names the field and the reason */
export function checkOrder(order: LaunchOrder): void {
  checkToken(order.token);
  const refuse = (why: string): never => {
    throw badInput("badLaunchOrder", `cannot launch ${order.token}`, why);
  };
  const { command, environment, inputFiles, limitMs, stdOutput, stdError } = order;
  if (command[0] === undefined || command[0] === "") refuse("the command names no program");
  const variables = Object.entries(environment);
  for (const text of [...command, ...variables.flat()]) {
    // What is not Unicode would reach the program changed, and behind a zero byte nothing would.
    if (/\0|\p{Surrogate}/u.test(text))
      refuse(`${JSON.stringify(text)} is not a text the system can pass on`);
  }
  for (const [name] of variables) {
    if (name === "" || name.includes("=")) refuse(`${JSON.stringify(name)} is no name of a variable`);
  }
  const isTime = limitMs > 0 && (Number.isSafeInteger(limitMs) || limitMs === Number.POSITIVE_INFINITY);
  if (!isTime) refuse(`a limit of ${limitMs} ms is no time`);
  const streams = [...new Set([stdOutput, stdError])];
  const names = [...inputFiles.map(({ name }) => name), ...streams];
  const strange = names.find((name) => !isInnerPath(name)) ?? streams.find((name) => !isBaseName(name));
  if (strange !== undefined) {
    refuse(`${JSON.stringify(strange)} is not the name of a file in the job's directory`);
  }
  const twice = clashingName(names);
  if (twice !== undefined) refuse(`${JSON.stringify(names[twice])} is the name of two of its files`);
  const { stdInput, workingDirectory = "/" } = order;
  if (stdInput !== undefined && !inputFiles.some(({ name }) => name === stdInput)) {
    refuse(`${JSON.stringify(stdInput)}, its standard input, is none of its input files`);
  }
  if (!isAbsolute(workingDirectory) || /\0|\p{Surrogate}/u.test(workingDirectory)) {
    refuse(`${JSON.stringify(workingDirectory)} is not an absolute path`);
  }
  for (const { source } of inputFiles) {
    if (!isAbsolute(source)) refuse(`${JSON.stringify(source)} is not an absolute path`);
  }
}

/** @throws Fault `badAttemptToken` */
export function checkToken(token: string): void {
  if (isToken(token)) return;
  const why = "a token is JOB/ATTEMPT: letters, digits, - and ., at most 200 characters";
  throw badInput("badAttemptToken", `${JSON.stringify(token)} is not the token of an attempt`, why);
}

/** Checks the name of a signal ("SIGTERM"). @throws Fault `unknownSignal` */
export function checkedSignal(name: string): NodeJS.Signals {
  const known = Object.keys(constants.signals).find((it): it is NodeJS.Signals => it === name);
  if (known !== undefined) return known;
  throw badInput("unknownSignal", `cannot send ${JSON.stringify(name)}`, "this system has no such signal");
}

function badInput(code: string, what: string, why: string): Fault {
  return new Fault({ kind: "badInput", code, what, why, remedy: "correct it and submit it again" });
}
