/**
 * Keys that sign tickets: Ed25519 (RFC 8032). The private one is PKCS#8 PEM, as openssl writes it; the public
 * one is a short text for exchange.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { Fault } from "../../base/index.ts";

/** `ed25519:` and the 32 bytes of a public key in base64url. */
const PUBLIC_TEXT = /^ed25519:([A-Za-z0-9_-]{43})$/;

/** A pair of keys as texts. */
export interface TicketKeyPair {
  /** PEM: who has it can issue tickets. */
  readonly privateText: string;
  readonly publicText: string;
}

/** Makes a new pair. */
export function newTicketKey(): TicketKeyPair {
  const { privateKey } = generateKeyPairSync("ed25519");
  const privateText = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { privateText, publicText: publicTextOf(privateKey) };
}

/** @throws Fault `ticketKeyWrong` where a text is no private key of this kind */
export function readPrivateKey(text: string): KeyObject {
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Whatever it is, it is none: what node says of it would not help.
  }
  throw keyFault("it is no private key of Ed25519 in PEM", "make one with `stint ticket key new FILE`");
}

/** The public key that belongs to a private one. */
export function publicTextOf(privateKey: KeyObject): string {
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return `ed25519:${x}`;
}

/** @throws Fault `ticketKeyWrong` where a text is no public key */
export function readPublicKey(text: string): KeyObject {
  const [, x = ""] = PUBLIC_TEXT.exec(text) ?? [];
  try {
    if (x !== "" && isOneSpelling(x)) {
      return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    }
  } catch {
    // As above.
  }
  throw keyFault(
    "a public key is ed25519: and 43 letters, digits, - and _",
    "copy it whole, as `stint ticket key show FILE` prints it",
  );
}

/** The id by which a public key is known: the first 16 hexadecimal digits of its SHA-256. */
export function ticketKeyId(publicText: string): string {
  return createHash("sha256").update(publicText).digest("hex").slice(0, 16);
}

/** The last character of a base64url text has bits that stand for nothing; they are zero in one spelling. */
function isOneSpelling(text: string): boolean {
  return Buffer.from(text, "base64url").toString("base64url") === text;
}

function keyFault(why: string, remedy: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "ticketKeyWrong",
    what: "this is not a ticket key",
    why,
    remedy,
  });
}
