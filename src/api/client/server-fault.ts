/** Faults of the client: problems of the server, and failures to reach it. */
import { Fault, type FaultKind, messageOf } from "../../base/index.ts";

/** A broken connection, which `watch` and `readFile` retry. */
export class LostConnection extends Fault {
  constructor(address: string, cause: unknown) {
    super({
      kind: "unreachable",
      code: "serverUnreachable",
      what: "the broker stopped answering",
      why: `the connection to ${address} was lost (${messageOf(cause)})`,
      remedy: "check that it is still running; `stint up` restarts it, and jobs continue meanwhile",
      cause,
    });
    this.name = "LostConnection";
  }
}

/** Problem of the server as a Fault with its facts. */
export class ProblemFault extends Fault {
  /** Members of the problem (RFC 9457); those beside the three sentences are facts. */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, problem: Readonly<Record<string, unknown>>) {
    super({
      kind: kindOf(status),
      code,
      what: textOf(problem.detail),
      why: textOf(problem.why),
      remedy: textOf(problem.remedy),
    });
    this.problem = problem;
  }
}

/** Node's error codes for certificates that do not prove the server's identity. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/;

/** Fault where no server could be reached. */
export function connectionFault(address: string, cause: unknown): Fault {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "EACCES" || code === "EPERM") {
    return new Fault({
      kind: "notAllowed",
      code: "socketForbidden",
      what: "this broker belongs to another user",
      why: `you have no permission to open its socket ${address}`,
      remedy: "ask its owner for a token, or start your own broker with `stint up`",
      cause,
    });
  }
  if (typeof code === "string" && UNTRUSTED.test(code)) {
    return new Fault({
      kind: "notAllowed",
      code: "serverUntrusted",
      what: `the certificate of the server at ${address} cannot be verified`,
      why: messageOf(cause),
      remedy:
        "name the CA certificates that verify it (--ca FILE, or STINT_CA), and use the host name " +
        "in its certificate",
      cause,
    });
  }
  if (code === "EPROTO") return speaksNoTls(address, cause);
  if (code !== "ENOENT" && code !== "ECONNREFUSED") return new LostConnection(address, cause);
  return new Fault({
    kind: "unreachable",
    code: "serverUnreachable",
    what: "no broker is running here",
    why: code === "ENOENT" ? `there is no ${address}` : `nothing is listening at ${address}`,
    remedy: "start one with `stint up`",
    cause,
  });
}

function speaksNoTls(address: string, cause: unknown): Fault {
  return new Fault({
    kind: "unreachable",
    code: "noTlsThere",
    what: `no TLS connection to ${address} is possible`,
    why: "the server there does not use TLS, or uses a version that this program does not support",
    remedy:
      "use the address that stint up prints on that machine: http:// where the broker has no certificate",
    cause,
  });
}

/** Fault of an unsuccessful response. */
export function answerFault(status: number, body: string): Fault {
  const problem = problemIn(body);
  const type = problem.type;
  if (typeof type !== "string" || !type.startsWith("urn:stint:")) return foreignAnswer(`status ${status}`);
  return new ProblemFault(status, type.slice("urn:stint:".length), problem);
}

/** Fault for a response that is not a broker's. */
export function foreignAnswer(what: string): Fault {
  return new Fault({
    kind: "failed",
    code: "foreignAnswer",
    what: "the server there does not run this version of Stint",
    why: `it sent ${what}`,
    remedy: "check which program listens there, and that its version is the same as this program's",
  });
}

/** Statuses of refusals: payment, conflict, precondition, invalid value, too many requests. */
const REFUSED: readonly number[] = [402, 409, 412, 422, 429];

function kindOf(status: number): FaultKind {
  if (status === 401 || status === 403) return "notAllowed";
  if (status === 404) return "notFound";
  if (REFUSED.includes(status)) return "refused";
  if (status === 503) return "unreachable";
  return status < 500 ? "badInput" : "failed";
}

function problemIn(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body));
  } catch {
    return {};
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "not said";
}
