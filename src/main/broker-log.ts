/**
 * The log of a running broker for its operator, written by pino: notices, a line per request, a line per
 * decision. It is no part of the logbook, and nothing is read back from it.
 *
 * Of a decision only ids, sites and people are written: descriptions, environments and secrets of tokens
 * stay in the logbook.
 */
import { type DestinationStream, destination, type Logger, pino } from "pino";
import { Fault, messageOf } from "../base/index.ts";
import type { LogSettings } from "../cli/index.ts";
import { type Command, type LogFormat, type Refusal, refusalText, type StintEvent } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";

/** Log of one broker. */
export interface BrokerLog {
  readonly logger: Logger;
  /** Message for whoever runs the broker, as `stint: …`, with its newline. */
  notice(line: string): void;
  warn(message: string): void;
  error(error: unknown): void;
  /** A durable event. */
  event(event: StintEvent): void;
  /** Writes what is pending. */
  close(): void;
}

/** Bytes that may wait for a slow reader; further lines are dropped. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;

/** Fields of events that are written. */
const SHOWN = [
  ...["job", "jobs", "attempt", "site", "siteJob", "starts", "reservation", "owner", "consumer", "by"],
  ...["who", "method", "route", "why", "version", "peer", "vo"],
];

/** Events that follow from counting and looking, which say little by themselves. */
const MINOR: readonly StintEvent["kind"][] = [
  "filesCounted",
  "transfersMeasured",
  "peerHeard",
  "requestDenied",
];

/**
 * Opens the log.
 *
 * @param settings absent: notices alone
 *
 * @param tell writes to stderr, for notices to people
 *
 * @throws Fault `logUnwritable`
 */
export function openBrokerLog(settings: LogSettings | undefined, tell: (line: string) => void): BrokerLog {
  const { file, ...wanted }: LogSettings = settings ?? { format: "text", level: "silent" };
  const isTerminal = process.stderr.isTTY === true && file === undefined;
  const format: LogFormat = wanted.format ?? (isTerminal ? "text" : "json");
  const level = wanted.level ?? (isTerminal ? "warn" : "info");
  const output = openOutput(file);
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    format === "json" ? output : asText(output),
  );
  const isPlain = format === "text" && file === undefined;
  return {
    logger,
    notice(line) {
      if (isPlain || file !== undefined) tell(line);
      if (!isPlain) logger.info(line.replace(/^stint: /, "").trimEnd());
    },
    warn(message) {
      if (isPlain) tell(`stint: ${message}\n`);
      else logger.warn(message);
    },
    error(error) {
      if (isPlain) tell(`stint: ${error instanceof Error ? error.stack : String(error)}\n`);
      else logger.error({ err: error }, messageOf(error));
    },
    event(event) {
      const isMinor = event.kind === "queueSettled" ? event.starts.length === 0 : MINOR.includes(event.kind);
      const write = isMinor ? "debug" : "info";
      if (logger.isLevelEnabled(write)) logger[write](shownOf(event), event.kind);
    },
    close: () => output.flushSync(),
  };
}

/** The broker, whose refusals of commands are logged. */
export function loggedRefusals(brokerApi: BrokerApi, { logger }: BrokerLog): BrokerApi {
  return {
    ...brokerApi,
    async ask(command) {
      const answer = await brokerApi.ask(command);
      if (!answer.ok) logger.info(refusedFields(command, answer.refusal), "refused");
      return answer;
    },
  };
}

function refusedFields(command: Command, refusal: Refusal): object {
  const { what, why } = refusalText(refusal);
  return { command: command.kind, refusal: refusal.kind, ...shownOf(command), what, reason: why };
}

function shownOf(of: StintEvent | Command): object {
  const shown: Record<string, unknown> = {};
  const fields: Readonly<Record<string, unknown>> = { ...of };
  for (const name of SHOWN) if (fields[name] !== undefined) shown[name] = fields[name];
  if ("actions" in of) shown.actions = of.actions.map(({ job, verb }) => ({ job, verb }));
  if ("end" in of) shown.end = of.end;
  return shown;
}

/** stderr, or a file to append to, which SIGHUP opens again under its name (logrotate). */
function openOutput(file: string | undefined) {
  const usual = { sync: false, maxLength: MOST_WAITING_BYTES };
  if (file === undefined) return destination({ ...usual, dest: 2 });
  try {
    // Opened here, so that a wrong name ends the start with its message.
    const output = destination({ ...usual, dest: file, append: true, mode: 0o600, sync: true });
    process.on("SIGHUP", () => output.reopen());
    return output;
  } catch (cause) {
    throw new Fault({
      kind: "badInput",
      code: "logUnwritable",
      what: `the log cannot be written to ${file}`,
      why: messageOf(cause),
      remedy:
        "name a file in a directory that exists and that this user may write, with --log-file or " +
        "server.log.file",
      cause,
    });
  }
}

/** Lines for people: `stint: info jobPlaced job=7f3a site=local`. */
function asText(output: DestinationStream): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>;
      const shown = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`);
      output.write(`stint: ${[time, level, msg, ...shown].join(" ")}\n`);
    },
  };
}

function valueText(value: unknown): string {
  const isWord = typeof value === "string" && /^[\w./:@-]+$/.test(value);
  return isWord ? value : JSON.stringify(value);
}
