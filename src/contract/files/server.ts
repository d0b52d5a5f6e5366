/** The section `server` of `stint.yaml`: the broker itself. */
import { LOG_FORMATS, LOG_LEVELS } from "../../model/index.ts";
import { as, count, mapping, orNone, path, quantity, text, word } from "./shape.ts";

const tlsFile = (example: string) =>
  path({
    examples: [example],
    unreadable: {
      code: "tlsUnreadable",
      noun: "the file",
      remedy:
        "name a file in PEM that the broker's account can read; relative paths begin at this file's folder",
    },
  });

const log = mapping(
  {
    level: word(LOG_LEVELS, { description: "Lines below it are not written.", examples: ["info"] }),
    format: word(LOG_FORMATS, { description: "text for people, json for programs.", examples: ["json"] }),
    file: path({
      description: "Is appended to, and opened again at SIGHUP; without it stderr.",
      examples: ["/var/log/stint/broker.log"],
    }),
  },
  { description: "The log for whoever runs the broker. Options such as --log-level count above it." },
);

/** The section `server`. */
export const serverShape = mapping(
  {
    stateDir: as(
      "stateDirectory",
      path({
        description: "Where it keeps everything; on a disk of this machine. STINT_STATE_DIR counts above it.",
        examples: ["/var/lib/stint"],
      }),
    ),
    inputs: path({
      description:
        "The directory from which callers known by a token may have input files taken; without it, from " +
        "nowhere.",
      examples: ["/shared/inputs"],
    }),
    port: orNone(count({ least: 0, most: 65_535 }), {
      description: "The port: 0 for any that is free, none for the socket only. STINT_PORT counts above it.",
      ...{ default: "7846", examples: ["7846", "0", "none"] },
    }),
    host: text({
      description:
        "The address to listen on, or a name that stands for it; beyond this machine only with tls.",
      ...{ default: "127.0.0.1", examples: ["0.0.0.0", "broker.example.org"] },
      pattern: "^(?=.{1,253}$)([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)$",
      mismatch: {
        code: "badHost",
        noun: "address of this machine",
        why: "it is a number like 10.0.0.7 or ::, or a name that stands for one, without a port",
        remedy: "write for instance host: 0.0.0.0, which is every address that this machine has",
      },
    }),
    retention: as(
      "retentionMs",
      quantity("duration", {
        description:
          "Older events of the log go to files in archive in stateDir, at the start and once a day; " +
          "without it they stay.",
        examples: ["90d"],
        ifZero: {
          why: "every event would be archived at once",
          remedy: "leave it out to keep all in the log",
        },
      }),
    ),
    log,
    tls: mapping(
      { cert: tlsFile("broker.pem"), key: tlsFile("broker.key") },
      {
        description:
          "Serves https: the files, in PEM, of the certificate (with those between it and its authority) " +
          "and of its private key. They are read again when they change.",
        required: {
          cert: "clients know the broker by its certificate",
          key: "only with its private key a certificate can be shown",
        },
      },
    ),
  },
  {
    description: "The broker itself.",
    examples: ["{ port: 7846 }"],
    keywords: {
      anyOf: [{ required: ["tls"] }, { properties: { host: { pattern: "^(localhost|::1|127\\..*)$" } } }],
    },
  },
);
