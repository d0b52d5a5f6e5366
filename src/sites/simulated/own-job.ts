/** Job of the cluster for an order, or the fault with the reason why there can be none. */
import { Fault, mulDiv, parseDuration } from "../../base/index.ts";
import { isWithinSite, type SiteSize } from "../../model/index.ts";
import type { SubmitOrder } from "../../runtime/index.ts";
import { reservationNow } from "./reservations.ts";
import type { Cluster, ClusterRules, OwnJob } from "./simulated-cluster.ts";

/** Variable with the runtime of an imitated job, as a duration: `90s`. */
export const IMITATED_RUNTIME = "STINT_IMITATED_RUNTIME";
/** Variable with the exit code of an imitated job. */
export const IMITATED_EXIT_CODE = "STINT_IMITATED_EXIT_CODE";

const tokenShape = /^(?=.{3,200}$)[A-Za-z0-9.-]+\/[A-Za-z0-9.-]+$/;

/** @throws Fault `badAttemptToken` */
export function checkToken(token: string): void {
  if (tokenShape.test(token)) return;
  const why = "a token is JOB/ATTEMPT: letters, digits, - and ., at most 200 characters";
  throw badInput("badAttemptToken", `${JSON.stringify(token)} is not the token of an attempt`, why);
}

/**
 * Job for an order.
 *
 * @throws Fault `badAttemptToken`, `badSubmitOrder`, or of kind `refused`: `widerThanSite`
 */
export function ownJobOf(order: SubmitOrder, rules: ClusterRules): OwnJob {
  checkToken(order.token);
  const { procs, memoryBytes, gpus = 0, reservation, ...launch } = order;
  const bad = (why: string): Fault => badInput("badSubmitOrder", `cannot submit ${order.token}`, why);
  if (!(Number.isSafeInteger(procs) && procs >= 1)) throw bad(`${procs} is no number of processors`);
  if (!(Number.isSafeInteger(memoryBytes) && memoryBytes >= 0))
    throw bad(`${memoryBytes} bytes are no memory`);
  if (!(Number.isSafeInteger(gpus) && gpus >= 0)) throw bad(`${gpus} is no number of GPUs`);
  if (!(Number.isSafeInteger(order.limitMs) && order.limitMs > 0)) {
    throw bad(`a limit of ${order.limitMs} ms is no time`);
  }
  if (order.command.length === 0) throw bad("the command names no program");
  if (!isWithinSite(rules, order)) throw tooWide(order, rules);
  const size = { procs, memoryBytes, ...(gpus === 0 ? {} : { gpus }) };
  const own = { token: order.token, ...size, reservation, order: launch };
  if (rules.jobs === "run") return { ...own, estimateMs: order.limitMs, imitatedMs: null, exitCode: 0 };
  const faster = (ms: number): number => Math.max(1, mulDiv(ms, 1, rules.speedUp, "down"));
  return {
    ...own,
    estimateMs: faster(order.limitMs),
    imitatedMs: faster(imitatedRuntimeMs(order, bad)),
    exitCode: imitatedExitCode(order, bad),
  };
}

/**
 * Refuses a job whose reservation does not exist or is too small.
 *
 * @throws Fault of kind `refused`: `reservationUnknown`, `widerThanReservation`
 */
export function checkInside(
  cluster: Cluster,
  order: Pick<SubmitOrder, "token" | "procs" | "memoryBytes" | "gpus" | "reservation">,
): void {
  const { token, reservation } = order;
  if (reservation === null) return;
  const reserved = reservationNow(cluster, reservation);
  if (reserved === undefined) {
    const why = `the site has no reservation ${reservation}, or it has ended`;
    throw refused("reservationUnknown", token, why, "reserve anew, or submit it to the queue");
  }
  if (isWithinSite(reserved, order)) return;
  const why = `it asks for ${amountsText(order)}; ${reservation} has ${amountsText(reserved)}`;
  throw refused("widerThanReservation", token, why, "ask for less, or reserve more");
}

function imitatedRuntimeMs(order: SubmitOrder, bad: (why: string) => Fault): number {
  const text = order.environment[IMITATED_RUNTIME];
  if (text === undefined) return Math.floor(order.limitMs / 2);
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.value;
  throw bad(`${IMITATED_RUNTIME}=${JSON.stringify(text)} is no time: ${parsed.refusal.why}`);
}

function imitatedExitCode(order: SubmitOrder, bad: (why: string) => Fault): number {
  const text = order.environment[IMITATED_EXIT_CODE] ?? "0";
  if (/^\d{1,3}$/.test(text) && Number(text) <= 255) return Number(text);
  throw bad(`${IMITATED_EXIT_CODE}=${JSON.stringify(text)} is no exit code: it is 0 … 255`);
}

function tooWide({ token, ...asked }: SubmitOrder, rules: ClusterRules): Fault {
  const why = `it asks for ${amountsText(asked)}; the site has ${amountsText(rules)}`;
  return refused("widerThanSite", token, why, "ask for less, or submit it to a larger site");
}

function amountsText({ procs, memoryBytes, gpus = 0 }: SiteSize): string {
  return `${procs} processors, ${memoryBytes} bytes and ${gpus} GPUs`;
}

function refused(code: string, token: string, why: string, remedy: string): Fault {
  return new Fault({ kind: "refused", code, what: `cannot submit ${token}`, why, remedy });
}

function badInput(code: string, what: string, why: string): Fault {
  return new Fault({ kind: "badInput", code, what, why, remedy: "correct it and submit it again" });
}
