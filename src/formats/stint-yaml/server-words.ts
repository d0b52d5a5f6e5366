/**
 * Reads `server`: where the broker keeps everything, and where and how it listens.
 */
import { isIP } from "node:net";
import {
  type FileState,
  type NamedValue,
  numberOrText,
  oneText,
  readEntries,
  shown,
  type Words,
  wholeNumberOf,
} from "../yaml/index.ts";
import type { Said, ServerSettings, TlsFiles } from "./configuration.ts";
import { pathOf, type Surroundings, UNREADABLE } from "./site-words.ts";

type Draft = { -readonly [Word in keyof ServerSettings]: ServerSettings[Word] };
type Reader<Value> = (named: NamedValue, surroundings: Surroundings) => Value | undefined;

/** What the section says; what is wrong with it goes to its notes. */
export function readServer(section: NamedValue, surroundings: Surroundings): ServerSettings {
  const draft: Draft = {};
  let hostAt: NamedValue | undefined;
  readEntries(section, {
    example: "server: { port: 7846 }",
    words: new Map([
      ["stateDir", (it) => put(draft, "stateDirectory", said(it, stateDirectoryOf, surroundings))],
      ["inputs", (it) => put(draft, "inputs", said(it, inputsOf, surroundings))],
      ["port", (it) => put(draft, "port", said(it, portOf, surroundings))],
      [
        "host",
        (it) => {
          hostAt = it;
          put(draft, "host", said(it, hostOf, surroundings));
        },
      ],
      ["tls", (it) => put(draft, "tls", tlsOf(it, surroundings))],
    ]),
  });
  if (hostAt !== undefined && draft.host !== undefined) tellInTheClear(section, hostAt, draft.host.value);
  return draft;
}

function put<Word extends keyof Draft>(draft: Draft, word: Word, value: Draft[Word]): void {
  if (value !== undefined) draft[word] = value;
}

function said<Value>(
  named: NamedValue,
  read: Reader<Value>,
  surroundings: Surroundings,
): Said<Value> | undefined {
  const value = read(named, surroundings);
  return value === undefined ? undefined : { value, line: named.notes.lineOf(named.value.at) };
}

function stateDirectoryOf(named: NamedValue, surroundings: Surroundings): string | undefined {
  return pathOf(named, surroundings, "stateDir: /var/lib/stint");
}

function inputsOf(named: NamedValue, surroundings: Surroundings): string | undefined {
  return pathOf(named, surroundings, "inputs: /shared/inputs");
}

function portOf(named: NamedValue): number | null | undefined {
  const example = "port: 7846, or port: none";
  const written = numberOrText(named, example);
  if (written === undefined) return undefined;
  return written.text === "none" ? null : wholeNumberOf(named, { least: 0, most: 65_535, example });
}

function hostOf(named: NamedValue): string | undefined {
  const written = oneText(named, "host: 0.0.0.0");
  if (written === undefined) return undefined;
  if (isIP(written.text) !== 0 || hostName.test(written.text)) return written.text;
  named.notes.problem(written.at, {
    code: "badHost",
    what: `${shown(named.name)} is not an address of this machine`,
    why: "it is a number like 10.0.0.7 or ::, or a name that stands for one, without a port",
    remedy: "write for instance host: 0.0.0.0, which is every address that this machine has",
  });
  return undefined;
}

const hostName =
  /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;

/** Whether an address is this machine's alone. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function tellInTheClear({ value }: NamedValue, { notes, value: at }: NamedValue, host: string): void {
  const hasTls = value.kind === "mapping" && value.entries.some(({ key }) => key === "tls");
  if (hasTls || isLoopback(host)) return;
  notes.problem(at.at, {
    code: "hostInClear",
    what: "beyond this machine the broker does not listen in the clear",
    why: "whoever sees a request on its way would have the token in it",
    remedy: "write tls: { cert: FILE, key: FILE } beside it, or take host out",
  });
}

function tlsOf(section: NamedValue, surroundings: Surroundings): TlsFiles | undefined {
  const draft: { -readonly [Word in keyof TlsFiles]?: TlsFiles[Word] } = {};
  const { value, notes } = section;
  const half = (word: keyof TlsFiles) => (it: NamedValue) => {
    const file = said(it, fileOf(`${word}: broker.pem`), surroundings);
    if (file !== undefined) draft[word] = file;
  };
  const isMapping = readEntries(section, {
    example: "tls: { cert: broker.pem, key: broker.key }",
    words: new Map([
      ["cert", half("cert")],
      ["key", half("key")],
    ]),
  });
  if (!isMapping || value.kind !== "mapping") return undefined;
  for (const word of ["cert", "key"] as const) {
    if (!value.entries.some(({ key }) => key === word)) notes.problem(value.at, missingHalf[word]);
  }
  const { cert, key } = draft;
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

/** A file that has to be there. */
function fileOf(example: string): Reader<string> {
  return (named, surroundings) => {
    const path = pathOf(named, surroundings, example);
    if (path === undefined) return undefined;
    const state: FileState = surroundings.fileState(path);
    if (state === "readable") return path;
    named.notes.problem(named.value.at, {
      code: "tlsUnreadable",
      what: `${shown(named.name)} cannot be read`,
      why: `${UNREADABLE[state]}, looked for at ${path}`,
      remedy:
        "name a file in PEM that the broker's account can read; relative paths begin at this file's folder",
    });
    return undefined;
  };
}

const missingHalf: Readonly<Record<keyof TlsFiles, Words>> = {
  cert: {
    code: "wordMissing",
    what: "tls has no cert",
    why: "clients know the broker by its certificate",
    remedy: "write for instance cert: broker.pem, with those between it and its authority after it",
  },
  key: {
    code: "wordMissing",
    what: "tls has no key",
    why: "only with its private key a certificate can be shown",
    remedy: "write for instance key: broker.key",
  },
};
