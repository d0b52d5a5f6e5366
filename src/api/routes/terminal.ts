/** `/jobs/:id/terminal`: what an interactive job writes, and what is typed into it. */
import { Readable } from "node:stream";
import {
  jobParameters,
  type TerminalWrite,
  terminalQuery,
  terminalWriteSchema,
} from "../../contract/index.ts";
import { isFinal, type JobRecord } from "../../model/index.ts";
import { type BrokerApi, MOST_INPUT_BYTES, TERMINAL_FILES } from "../../runtime/index.ts";
import { findJob } from "../find-job.ts";
import { whoOf } from "../identity.ts";
import { screenBytes, screenPlace } from "../screen-bytes.ts";
import {
  inputFull,
  inputOutOfStep,
  notInteractive,
  siteWithoutTerminals,
  terminalNotOpen,
  terminalNotYours,
  terminalTaken,
} from "../terminal-problems.ts";
import { TerminalWriters } from "../terminal-writers.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, streams, urlOf } from "./api.ts";

/** Writers by broker: they are the same for all of its listeners. */
const writersAt = new WeakMap<BrokerApi, TerminalWriters>();

/** Registers the routes of terminals. */
export function addTerminal(api: Api, world: RouteWorld): void {
  const { brokerApi, nowMs } = world;
  const writers = writersAt.get(brokerApi) ?? new TerminalWriters(nowMs);
  writersAt.set(brokerApi, writers);
  addScreen(api, world, writers);
  addKeyboard(api, world, writers);
}

function addScreen(api: Api, { brokerApi, guard, pollMs }: RouteWorld, writers: TerminalWriters): void {
  api.get(
    urlOf("watchTerminal"),
    {
      config: { ...forThoseWhoMay("seeJob"), isStream: true },
      schema: {
        summary: "Follow the output of a job's terminal",
        description:
          "The header `stint-terminal-from` has the offset of the first byte. The " +
          "response ends with the job, " +
          "or when the reader is so slow that the next output is no longer kept: request it again then.",
        tags: ["files"],
        params: jobParameters,
        querystring: terminalQuery,
        response: streams("application/octet-stream", "The bytes as they are"),
      },
    },
    async (request, reply) => {
      const { id, description } = await findJob({ brokerApi, guard, request }, request.params.id);
      if (description.interactive !== true) throw notInteractive(id);
      const place = await screenPlace(brokerApi, id, request.query);
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const rest = (ms: number, signal: AbortSignal) => writers.rest(id, ms, signal);
      const bytes = screenBytes(brokerApi, { id, place, pollMs, signal: gone.signal, rest });
      reply.header("stint-terminal-from", String(place.at));
      reply.header("x-content-type-options", "nosniff").type("application/octet-stream");
      reply.raw.once("pipe", () => reply.raw.flushHeaders());
      return reply.send(Readable.from(bytes, { objectMode: false }));
    },
  );
}

function addKeyboard(api: Api, { brokerApi, guard }: RouteWorld, writers: TerminalWriters): void {
  api.post(
    urlOf("writeTerminal"),
    {
      config: forThoseWhoMay("cancel"),
      schema: {
        summary: "Type into a job's terminal, or set its size",
        description:
          "For the job's owner. A request without bytes only keeps the right to write, and is needed every " +
          "15 seconds. Bytes are sent with their offset, so that a repeated request types them only once.",
        tags: ["files"],
        params: jobParameters,
        body: terminalWriteSchema,
        response: answers("Terminal", 200),
      },
    },
    async (request) => {
      const job = await findJob({ brokerApi, guard, request }, request.params.id, "cancel");
      const { body } = request;
      if (job.description.interactive !== true) throw notInteractive(job.id);
      if (job.owner !== whoOf(request).owner) throw terminalNotYours(job);
      if (isFinal(job.state)) throw terminalNotOpen(job);
      if (!writers.admit(job.id, body.writer, body.take === true)) throw terminalTaken(job.id);
      const inputBytes = await writers.inTurn(job.id, () => write(brokerApi, job, body));
      if (body.leave === true) writers.leave(job.id, body.writer);
      if (body.data !== undefined) writers.typed(job.id);
      return { inputBytes };
    },
  );
}

/** Carries out a request. @returns the size of the input then */
async function write(brokerApi: BrokerApi, job: JobRecord, body: TerminalWrite): Promise<number> {
  const bytes = Buffer.from(body.data ?? "", "base64");
  const { at, rows, columns } = body;
  if ((at ?? 0) + bytes.length > MOST_INPUT_BYTES) throw inputFull(job.id);
  if (rows !== undefined && columns !== undefined) {
    const line = Buffer.from(`${rows} ${columns}\n`);
    await append(brokerApi, job, TERMINAL_FILES.sizes, { bytes: line });
  }
  const part = at === undefined ? { bytes: new Uint8Array() } : { bytes, atByte: at };
  const size = await append(brokerApi, job, TERMINAL_FILES.input, part);
  if (at !== undefined && size !== at + bytes.length) throw inputOutOfStep(job.id, size);
  return size;
}

async function append(
  brokerApi: BrokerApi,
  job: JobRecord,
  name: string,
  part: { readonly bytes: Uint8Array; readonly atByte?: number },
): Promise<number> {
  const size = await brokerApi.appendFile(job.id, name, part);
  if (size === "unable") throw siteWithoutTerminals(job);
  if (size === undefined) throw terminalNotOpen(job);
  return size;
}
