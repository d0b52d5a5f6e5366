/**
 * Errors as RFC 9457 problem details: `urn:stint:<code>`, stable for scripts, with the three sentences
 * of a Fault (`detail`, `why`, `remedy`) and the facts of a refusal as members of their own.
 */
import { Fault, type FaultKind } from "../base/index.ts";
import { type Refusal, refusalStatus, refusalText } from "../model/index.ts";
import { factsView } from "./facts-view.ts";

/** Error at one place of a request. */
export interface ProblemPlace {
  /** JSON pointer into the body. */
  readonly pointer?: string;
  /** Name of a parameter of the path, the query or a header. */
  readonly parameter?: string;
  readonly detail: string;
}

/** Body of an error. Further members are facts. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** Summary of the error in one sentence. */
  readonly detail: string;
  readonly why: string;
  readonly remedy: string;
  readonly [fact: string]: unknown;
}

/** Parts of a problem; `title` follows from the code. */
export interface ProblemFacts {
  readonly status: number;
  readonly code: string;
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Thrown by routes; sent as it is. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor({ status, code, what, why, remedy, facts }: ProblemFacts) {
    super(`${what}: ${why}`);
    this.name = "ProblemError";
    // Own members last: no fact may pass for the type or the status.
    this.problem = {
      ...facts,
      type: `urn:stint:${code}`,
      title: titleOf(code),
      status,
      detail: what,
      why,
      remedy,
    };
  }
}

/**
 * A refusal of the broker as a problem, with the status of its kind where none is given.
 *
 * @param more members besides its own facts
 */
export function refusalProblem(
  refusal: Refusal,
  status = refusalStatus(refusal),
  more: Readonly<Record<string, unknown>> = {},
): ProblemError {
  const { kind: code, ...facts } = refusal;
  // Its `why` is told in words; the facts of it have a name of their own.
  const hindrance = refusal.kind === "ticketRefused" ? { hindrance: factsView(refusal.why) } : {};
  return new ProblemError({
    ...{ status, code, ...refusalText(refusal) },
    facts: { ...factsView(facts), ...hindrance, ...more },
  });
}

const faultStatus: Readonly<Record<FaultKind, number>> = {
  badInput: 400,
  notAllowed: 403,
  notFound: 404,
  refused: 409,
  failed: 500,
  unreachable: 503,
};

/** Problem of whatever was thrown; undefined for an internal error, whose text is not disclosed. */
export function problemOf(error: unknown): ProblemError | undefined {
  if (error instanceof ProblemError) return error;
  if (error instanceof Fault) {
    const { kind, code, what, why, remedy } = error;
    return new ProblemError({ status: faultStatus[kind], code, what, why, remedy });
  }
  return protocolProblem(error);
}

/** Problem for a request that Fastify refuses before a route. */
function protocolProblem(error: unknown): ProblemError | undefined {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  const { statusCode } = error;
  if (typeof statusCode !== "number" || statusCode < 400 || statusCode > 499) return undefined;
  const known = "code" in error ? protocolCodes.get(error.code) : undefined;
  return new ProblemError({
    status: statusCode,
    code: known?.code ?? "badRequest",
    what: "the request cannot be parsed",
    why: known?.why ?? oneLine(error.message),
    remedy: known?.remedy ?? "see /api/v1/openapi.json for valid requests",
  });
}

/** Limit on the size of a body. */
export const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

const sendJson = "send JSON, with the header `Content-Type: application/json`";

/** Problems by Fastify's own codes. */
const protocolCodes = new Map<
  unknown,
  { readonly code: string; readonly why: string; readonly remedy: string }
>([
  [
    "FST_ERR_CTP_BODY_TOO_LARGE",
    { code: "bodyTooLarge", why: "its body is larger than 10 MiB", remedy: "send it in several parts" },
  ],
  [
    "FST_ERR_CTP_INVALID_MEDIA_TYPE",
    { code: "notJson", why: "its Content-Type is not application/json", remedy: sendJson },
  ],
  [
    "FST_ERR_CTP_INVALID_JSON_BODY",
    { code: "malformedJson", why: "its body is not valid JSON", remedy: sendJson },
  ],
  [
    "FST_ERR_CTP_EMPTY_JSON_BODY",
    { code: "malformedJson", why: "its Content-Type is JSON, but its body is empty", remedy: sendJson },
  ],
]);

/** Problem for an unknown address. */
export function unknownRoute(method: string, path: string): ProblemError {
  return new ProblemError({
    status: 404,
    code: "unknownRoute",
    what: "there is no resource at this address",
    why: oneLine(`no route answers ${method} ${path}`),
    remedy: "see /api/v1/openapi.json for the available addresses",
  });
}

/** Problem for an internal error. */
export const internalError: ProblemError = new ProblemError({
  status: 500,
  code: "internalError",
  what: "internal error",
  why: "this is a defect in Stint; the broker's log has the details",
  remedy: "report it with those lines of the log",
});

function oneLine(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, " ");
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/** Title of a code: `widerThanAnySite` → `Wider than any site`. */
function titleOf(code: string): string {
  const words = code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
