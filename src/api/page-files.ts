/**
 * The page's files, as they were built: served to anyone, since they hold nothing of the broker. Paths of
 * the page itself, `/jobs/…` and others without a file, have its one document. The policy of the document
 * admits nothing from elsewhere, and no script or style within it.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Styles are set by scripts on elements, which the policy calls inline; scripts are not. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/** Serves the page from the directory in which it was built. @returns answers for paths without a route */
export function addPageFiles(server: FastifyInstance, directory: string): PageAnswer {
  const document = join(directory, "index.html");
  // Read once: a package that is replaced beneath a running broker must not mix two versions.
  const html = existsSync(document) ? readFileSync(document) : undefined;
  server.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, action: "anyone" };
    });
    if (html === undefined) return;
    await scope.register(fastifyStatic, {
      root: join(directory, "assets"),
      prefix: "/assets/",
      wildcard: false,
      // The names have hashes of their contents.
      immutable: true,
      maxAge: "365d",
      preCompressed: true,
      setHeaders: (response) => {
        for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
      },
    });
  });
  return (request) =>
    html !== undefined && isOfPage(request)
      ? { body: html, headers: { ...HEADERS, "cache-control": "no-cache" } }
      : undefined;
}

/** The document of the page, for requests of a browser that go to no route. */
export type PageAnswer = (
  request: FastifyRequest,
) => { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> } | undefined;

function isOfPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== "GET" || /^\/(api|assets|ga4gh)(\/|$)/.test(url)) return false;
  return headers.accept?.includes("text/html") === true;
}
