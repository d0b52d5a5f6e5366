/**
 * Certificate of a server: two files in PEM, its chain and its private key. They are checked before listening
 * and not by the first client: OpenSSL's message on a wrong pair names neither the file nor a remedy, and a
 * server with one serves nobody.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { open } from "node:fs/promises";
import { userInfo } from "node:os";
import { Fault, messageOf } from "../base/index.ts";

/** A certificate with its private key, as a server takes them. */
export interface Certificate {
  /** Certificate chain, the server's own first. */
  readonly cert: string;
  readonly key: string;
  /** Names and addresses in the certificate, as in a URL; wildcards as written. */
  readonly names: readonly string[];
  readonly beginsAtMs: number;
  readonly endsAtMs: number;
}

/** First certificate of a chain, with the text of all. */
export interface Chain {
  readonly text: string;
  readonly own: X509Certificate;
}

/** A private key, with its text. */
export interface PrivateKey {
  readonly text: string;
  readonly key: KeyObject;
}

/** Limit on the size of a certificate or key file. */
const MOST_BYTES = 256 * 1024;
const BLOCK = /-----BEGIN ([A-Z ]+)-----[\s\S]*?-----END \1-----/g;

/** Reads a chain. @throws Fault `certificateUnreadable`, `certificateWrong` */
export async function readChain(file: string): Promise<Chain> {
  const { text } = await textOf(file, "certificate");
  const blocks = [...text.matchAll(BLOCK)].filter(([, label]) => label === "CERTIFICATE");
  const [own] = blocks.map(([block], at) => {
    try {
      return new X509Certificate(block);
    } catch (cause) {
      throw wrongChain(file, `the ${at + 1}. certificate in it cannot be read`, cause);
    }
  });
  if (own !== undefined) return { text, own };
  const hasKey = text.includes("PRIVATE KEY-----");
  throw wrongChain(
    file,
    hasKey ? "it has a private key, and no certificate" : "it has no certificate in PEM",
  );
}

/** Reads a private key that nobody else can read. @throws Fault `keyUnreadable`, `keyOpen`, `keyWrong` */
export async function readKey(file: string): Promise<PrivateKey> {
  const { text, mode, uid } = await textOf(file, "key");
  if (!text.includes("PRIVATE KEY-----")) throw wrongKey(file, "it has no private key in PEM");
  // A group may read what root has given it: so a system hands a key to one of its services.
  const closedTo = uid === 0 && userInfo().uid !== 0 ? 0o027 : 0o077;
  if ((mode & closedTo) !== 0) throw openKey(file, mode);
  if (/ENCRYPTED/.test(text)) {
    throw wrongKey(file, "it is under a passphrase, and nobody is there to type it when the broker starts");
  }
  try {
    return { text, key: createPrivateKey(text) };
  } catch (cause) {
    throw wrongKey(file, "what stands there as a key cannot be read as one", cause);
  }
}

/** Joins certificate and key. @throws Fault `keyOfAnother` */
export function certificateOf(chain: Chain, key: PrivateKey): Certificate {
  const { own } = chain;
  if (!own.checkPrivateKey(key.key)) {
    throw new Fault({
      kind: "badInput",
      code: "keyOfAnother",
      what: "the certificate and the key do not match",
      why: `the key does not belong to ${printable(own.subject)}, the first certificate in the chain`,
      remedy:
        "name the key with which the certificate was requested; the server's certificate comes " +
        "first in a chain",
    });
  }
  return {
    cert: chain.text,
    key: key.text,
    names: namesOf(own),
    beginsAtMs: Date.parse(own.validFrom),
    endsAtMs: Date.parse(own.validTo),
  };
}

/** Subject in one line; OpenSSL writes a line per part. */
function printable(subject: string): string {
  return subject.replaceAll(/\s+/g, ", ");
}

function namesOf({ subjectAltName = "" }: X509Certificate): string[] {
  return [...subjectAltName.matchAll(/(?:^|, )(?:DNS:|IP Address:)([^,"]+)/g)].map(([, name = ""]) => name);
}

interface ReadText {
  readonly text: string;
  readonly mode: number;
  readonly uid: number;
}

/** Reads mode and text through one handle, so that they are of the same file. */
async function textOf(file: string, of: "certificate" | "key"): Promise<ReadText> {
  try {
    const handle = await open(file, "r");
    try {
      const { mode, uid, size } = await handle.stat();
      if (size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
      return { text: await handle.readFile("utf8"), mode: mode & 0o777, uid };
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw new Fault({
      kind: "badInput",
      code: `${of}Unreadable`,
      what: `${file} cannot be read`,
      why: messageOf(cause),
      remedy: "name a PEM file that the broker's account can read",
      cause,
    });
  }
}

function wrongChain(file: string, why: string, cause?: unknown): Fault {
  return new Fault({
    kind: "badInput",
    code: "certificateWrong",
    what: `${file} is not a server certificate`,
    why,
    remedy: "name a PEM file with the certificate, followed by any intermediate certificates",
    cause,
  });
}

function wrongKey(file: string, why: string, cause?: unknown): Fault {
  return new Fault({
    kind: "badInput",
    code: "keyWrong",
    what: `${file} is not a private key`,
    why,
    remedy: "name a PEM key without a passphrase; openssl pkey -in FILE -out NEW removes one",
    cause,
  });
}

function openKey(file: string, mode: number): Fault {
  return new Fault({
    kind: "refused",
    code: "keyOpen",
    what: `the private key in ${file} is accessible to other users`,
    why: `other users may read or change it (mode ${mode.toString(8)}) and could impersonate this broker`,
    remedy: `restrict it: chmod 600 ${file}; if others may have read it, request a new key and certificate`,
  });
}
