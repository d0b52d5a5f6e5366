/**
 * An API on a real socket in a directory of its own, asked as any program would ask it. Every answer
 * is held against what the OpenAPI document says of it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { Compile, type Validator } from "typebox/compile";
import { expect, onTestFinished } from "vitest";
import { createClient, type StintClient } from "../../src/api/client/index.ts";
import { createServer, listenOnSocket, ownerOfSocket, type ServerOptions } from "../../src/api/index.ts";
import { type FakeBrokerApi, fakeBrokerApi } from "./fake-broker-api.ts";

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Of an answer in JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** What is sent beside method and path. */
export interface Sending {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A running API; ends with the test. */
export interface Serving {
  readonly brokerApi: FakeBrokerApi;
  readonly server: FastifyInstance;
  readonly client: StintClient;
  readonly socketPath: string;
  send(method: string, path: string, sending?: Sending): Promise<Answer>;
}

/** Serves a fake broker until the test is over. */
export async function serve(options: Partial<ServerOptions> = {}): Promise<Serving> {
  const directory = await temporaryDirectory();
  const brokerApi = fakeBrokerApi();
  const socketPath = join(directory, "api.sock");
  const server = serverOf(brokerApi, options);
  await listenOnSocket(server, socketPath);
  const client = createClient({ socketPath, patienceMs: 2000 });
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  const send = async (method: string, path: string, sending: Sending = {}): Promise<Answer> => {
    const answer = await raw(socketPath, { method, path, ...sending });
    expectDocumented(server, method, path, answer);
    return answer;
  };
  return { brokerApi, server, client, socketPath, send };
}

/** A server with the settings of tests. */
export function serverOf(brokerApi: FakeBrokerApi, options: Partial<ServerOptions> = {}): FastifyInstance {
  const identify = ownerOfSocket("me", "local/me");
  return createServer(brokerApi, { identify, version: "1.2.3", pollMs: 5, ...options });
}

/** A private directory that is removed after the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "stint-api-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

function raw(
  socketPath: string,
  { method, path, body, headers = {} }: Sending & { readonly method: string; readonly path: string },
): Promise<Answer> {
  const isText = typeof body === "string" || body === undefined;
  const bytes = isText ? body : JSON.stringify(body);
  const json = bytes === undefined ? {} : { "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ socketPath, method, path, headers: { ...json, ...headers }, agent: false });
    asked.on("error", reject);
    asked.on("response", async (response) => {
      const parts: Uint8Array[] = [];
      for await (const part of response) parts.push(part);
      const text = Buffer.concat(parts).toString();
      const isJson = response.headers["content-type"]?.includes("json");
      const { statusCode = 0, headers: answered } = response;
      resolve({
        status: statusCode,
        headers: answered,
        text,
        json: isJson && text !== "" ? JSON.parse(text) : {},
      });
    });
    asked.end(bytes);
  });
}

/** The document says which route this is, and what it may answer. */
function expectDocumented(server: FastifyInstance, method: string, path: string, answer: Answer): void {
  const contentType = answer.headers["content-type"] ?? "";
  if (answer.status >= 400 && answer.status !== 503) expect(contentType).toBe("application/problem+json");
  const [address = ""] = path.split("?");
  const template = templateOf(address) ?? withDocumentOf(server, address) ?? "";
  const responses = document.paths[template]?.[method.toLowerCase()]?.responses;
  const documented = responses?.[answer.status] ?? responses?.[`${Math.floor(answer.status / 100)}XX`];
  const schema = documented?.content?.[contentType.replace(/;.*/, "")]?.schema;
  if (schema === undefined || !contentType.includes("json")) return;
  const validator = validators.get(schema) ?? Compile(resolved(schema, document.components.schemas));
  validators.set(schema, validator);
  expect([...validator.Errors(answer.json)], `${method} ${path} answers as documented`).toEqual([]);
}

/** What is read here of an OpenAPI document. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}
interface DocumentedOperation {
  readonly responses?: Readonly<Record<string, DocumentedResponse>>;
}
interface DocumentedResponse {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

/** Of the last server whose document was needed: most servers have the same routes, and it takes long. */
let document: ApiDocument = { paths: {}, components: { schemas: {} } };
const validators = new Map<object, Validator>();

function withDocumentOf(server: FastifyInstance, address: string): string | undefined {
  document = JSON.parse(JSON.stringify(server.swagger()));
  return templateOf(address);
}

function templateOf(address: string): string | undefined {
  const templates = Object.keys(document.paths).filter((it) =>
    new RegExp(`^${it.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(address),
  );
  return templates.sort((a, b) => a.split("{").length - b.split("{").length)[0];
}

/** The schema with its references replaced. */
function resolved(schema: unknown, shared: Readonly<Record<string, unknown>>): object {
  const text = JSON.stringify(schema, (_, value) => {
    const reference: unknown = value?.$ref;
    return typeof reference === "string"
      ? resolved(shared[reference.split("/").at(-1) ?? ""], shared)
      : value;
  });
  return JSON.parse(text);
}
