/**
 * The API's own description: the OpenAPI document, and the page on which it is read and tried.
 */
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { EXAMPLES } from "./examples.ts";
import { forGenerators } from "./for-generators.ts";
import { OPERATIONS, PREFIX } from "./operations.ts";

/** Path of the page. */
export const DOCS = "/api/docs";

const TAGS: Readonly<Record<string, string>> = {
  jobs: "Submit, follow, hold, cancel; why one waits, and when one would start",
  events: "What happened, from the log",
  files: "What jobs have written",
  simulations: "Workloads simulated in the broker under other rules, and what came of them.",
  sites: "Where jobs run: sites with their queues and load, and their administration",
  reservations: "Priced slots: price lists, offers, several at once, and jobs that begin at an instant",
  workflows: "Input for workflow planners, and the execution of workflows",
  accounts: "Balances and payments of consumers",
  policies: "Who may use how much, whether it is kept, and what enforcers do",
  vos: "How organisations have their jobs placed",
  streams: "Jobs whose data come in while they compute",
  tickets: "Tickets: signed promises of a part of an organisation's share",
  peers: "Other brokers that use the same clusters",
  tokens: "API tokens: who may use the broker",
  session: "Sign-in of the page in a browser: the token becomes a cookie that scripts cannot read",
  broker: "The broker itself",
};

/** Generates the document from the routes that follow. */
export function describe(server: FastifyInstance, version: string): void {
  server.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Stint",
        version,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
        description:
          "The API of the broker. Errors are RFC 9457 problem details. A request carries a token, " +
          "which `stint token create` makes; requests over the socket of the broker's owner need none. " +
          "Instants are ISO 8601. Names that end in `Sec` are durations in seconds, in `Bytes` sizes " +
          "in bytes, in `Su` amounts in SU (one processor for one hour), and in `ProcMs` exact amounts " +
          "in processor-milliseconds.",
      },
      servers: [{ url: "/", description: "This broker" }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }],
    },
    transform: ({ schema, url, route }) => {
      const isOpen = route.config?.action === "anyone";
      const body = withExample(schema?.body, exampleOf(String(route.method), url));
      return { schema: { ...schema, ...(isOpen ? { security: [] } : {}), ...body }, url };
    },
    transformObject: forGenerators,
    refResolver: { buildLocalReference: (json, _, __, at) => String(json.$id ?? `schema${at}`) },
  });
}

function exampleOf(method: string, url: string): unknown {
  const examples: Readonly<Record<string, unknown>> = EXAMPLES;
  const operations = Object.entries(OPERATIONS);
  const found = operations.find(([, row]) => row.method === method && PREFIX + row.path === url);
  return found && examples[found[0]];
}

function withExample(schema: unknown, example: unknown): object {
  return typeof schema === "object" && example !== undefined
    ? { body: { ...schema, examples: [example] } }
    : {};
}

/** Serves the page to anyone, as the document is; it loads nothing from elsewhere. */
export function addPage(server: FastifyInstance): void {
  server.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, action: "anyone" };
    });
    await scope.register(swaggerUi, {
      routePrefix: DOCS,
      staticCSP: true,
      transformStaticCSP: () => "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
      uiConfig: {
        layout: "BaseLayout",
        deepLinking: true,
        docExpansion: "none",
        tryItOutEnabled: true,
      },
      uiHooks: {
        // What the page would answer itself, it would make anew for everybody who asks.
        onRequest: (request, reply, done) => {
          if (/\/(json|yaml)$/.test(request.url)) void reply.redirect(`${PREFIX}/openapi.json`);
          else done();
        },
      },
    });
  });
}
