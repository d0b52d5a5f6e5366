/**
 * Sessions of the page: the token in a cookie that scripts cannot read. The cookie counts as the header
 * `Authorization` where that is absent. Browsers send cookies by themselves, so that whatever changes
 * something is refused unless the page itself sent it: the cookie is `SameSite=Strict`, the request has a
 * header that no form and no other site can set, and its origin, where the browser sends it, is this
 * server's.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Denial, whereOf } from "./identity.ts";
import { ProblemError } from "./problem.ts";

/** Header of every request of the page. */
const PAGE_HEADER = "x-stint-page";

/** Takes the token from the cookie where a request has no other. */
export function admitCookies(server: FastifyInstance, onDenial: (denial: Denial) => void): void {
  server.addHook("onRequest", async (request) => {
    if (request.headers.authorization !== undefined) return;
    const token = cookieOf(request);
    if (token === undefined) return;
    if (!isOfPage(request)) {
      onDenial({ ...whereOf(request), owner: undefined, why: "crossSite" });
      throw crossSite;
    }
    request.headers.authorization = `Bearer ${token}`;
  });
}

/** Sets the cookie of a session; it ends with the browser, or with the token. */
export function setCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.header("set-cookie", cookieText(request, token));
}

/** Removes the cookie. */
export function clearCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("set-cookie", `${cookieText(request, "")}; Max-Age=0`);
}

function cookieText(request: FastifyRequest, value: string): string {
  const secure = request.protocol === "https" ? "; Secure" : "";
  return `${cookieName(request)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

/** Cookies are shared by the ports of a host: two brokers on one machine must not share one. */
function cookieName(request: FastifyRequest): string {
  return `stint_session_${request.socket.localPort ?? 0}`;
}

function cookieOf(request: FastifyRequest): string | undefined {
  const name = cookieName(request);
  for (const pair of request.headers.cookie?.split(/; */) ?? []) {
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1);
  }
  return undefined;
}

function isOfPage({ method, headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  if (method === "GET" || method === "HEAD") return site !== "cross-site" && site !== "same-site";
  const isOwnSite = site === undefined || site === "same-origin";
  const { origin, host } = headers;
  const isOwnOrigin = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  return headers[PAGE_HEADER] !== undefined && isOwnSite && isOwnOrigin;
}

const crossSite = new ProblemError({
  status: 403,
  code: "crossSite",
  what: "this request did not come from the page of this broker",
  why: "it has the cookie of a session, but not the header and the origin that the page sends",
  remedy: "use the page itself; programs send their token in the header Authorization",
});
