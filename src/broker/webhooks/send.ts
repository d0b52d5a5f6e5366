/**
 * Sends one event to one address, signed.
 *
 * The signature is HMAC-SHA256 over the second of the request, a full stop and the body, in the header
 * `stint-signature: t=SECONDS,v1=HEX`. Redirects are not followed, and an answer is read no further than its
 * status. The address is judged when its name is resolved, so that a name cannot lead elsewhere later.
 */
import { createHmac } from "node:crypto";
import { lookup as resolveName } from "node:dns";
import { request as requestClear } from "node:http";
import { request as requestTls } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** A request to be sent. */
export interface Sending {
  readonly url: string;
  readonly secret: string;
  readonly body: string;
  readonly nowMs: number;
  readonly timeoutMs: number;
  readonly isPrivateAllowed: boolean;
  readonly signal: AbortSignal;
}

/**
 * Private addresses, one list per family: in a common list every IPv4 address would match an IPv4-mapped IPv6
 * rule.
 */
const PRIVATE = { ipv4: new BlockList(), ipv6: new BlockList() };
const NETWORKS: readonly (readonly [string, number, "ipv4" | "ipv6"])[] = [
  ...([
    ["0.0.0.0", 8, "ipv4"],
    ["10.0.0.0", 8, "ipv4"],
    ["100.64.0.0", 10, "ipv4"],
    ["127.0.0.0", 8, "ipv4"],
    ["169.254.0.0", 16, "ipv4"],
    ["172.16.0.0", 12, "ipv4"],
    ["192.0.0.0", 24, "ipv4"],
    ["192.168.0.0", 16, "ipv4"],
    ["198.18.0.0", 15, "ipv4"],
    ["224.0.0.0", 3, "ipv4"],
  ] as const),
  ...([
    ["::", 96, "ipv6"],
    ["::ffff:0:0", 96, "ipv6"],
    ["64:ff9b::", 96, "ipv6"],
    ["fc00::", 7, "ipv6"],
    ["fe80::", 10, "ipv6"],
    ["ff00::", 8, "ipv6"],
  ] as const),
];
for (const [network, bits, family] of NETWORKS) PRIVATE[family].addSubnet(network, bits, family);

/** True for an address of this machine, of a private network, or of no single host. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  return PRIVATE[family].check(address, family);
}

/** The value of the signature's header. */
function signatureOf(secret: string, body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

/** Sends; undefined where it was answered with a status of 2xx, else why not. */
export function send(sending: Sending): Promise<string | undefined> {
  const { url, secret, body, nowMs, timeoutMs, isPrivateAllowed, signal } = sending;
  const to = new URL(url);
  const host = to.hostname.replace(/^\[|\]$/g, "");
  if (!isPrivateAllowed && isIP(host) !== 0 && isPrivateAddress(host))
    return Promise.resolve(notPublic(host));
  const tooLate = AbortSignal.timeout(timeoutMs);
  const request = to.protocol === "https:" ? requestTls : requestClear;
  return new Promise((resolve) => {
    const asked = request(to, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "stint",
        "stint-signature": signatureOf(secret, body, nowMs),
      },
      agent: false,
      signal: AbortSignal.any([signal, tooLate]),
      ...(isPrivateAllowed ? {} : { lookup: publicOnly }),
    });
    asked.once("response", ({ statusCode = 0 }) => {
      resolve(statusCode >= 200 && statusCode < 300 ? undefined : `it answered ${statusCode}`);
      asked.destroy();
    });
    asked.on("error", (error) =>
      resolve(tooLate.aborted ? `no answer within ${timeoutMs / 1000} s` : error.message),
    );
    asked.end(body);
  });
}

const publicOnly: LookupFunction = (hostname, options, done) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    const inner = addresses?.find(({ address }) => isPrivateAddress(address));
    const [first] = addresses ?? [];
    if (error !== null) done(error, "");
    else if (inner !== undefined) done(new Error(notPublic(inner.address)), "");
    else if (options.all === true) done(null, addresses);
    else done(null, first?.address ?? "", first?.family);
  });
};

function notPublic(address: string): string {
  return `${address} is of this machine or of a private network, which is not allowed for this webhook`;
}
