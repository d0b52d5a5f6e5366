/** The section `server` of `stint.yaml`: the broker itself. */
import { LOG_FORMATS, LOG_LEVELS, MAIL_ADDRESS_PATTERN } from "../../model/index.ts";
import { as, count, list, mapping, orNone, path, quantity, text, word } from "./shape.ts";

const tlsFile = (example: string) =>
  path({
    examples: [example],
    unreadable: {
      code: "tlsUnreadable",
      noun: "the file",
      remedy:
        "name a file in PEM that the broker's account can read; paths are relative to this file's folder",
    },
  });

const PORT = "(6553[0-5]|655[0-2]\\d|65[0-4]\\d{2}|6[0-4]\\d{3}|[1-5]\\d{4}|[1-9]\\d{0,3})";
const HOST = "(\\[[0-9A-Fa-f:.]{2,45}\\]|[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)";
const SYSLOG_ADDRESS = `^(udp|tcp)://${HOST}:${PORT}$`;

const log = mapping(
  {
    level: word(LOG_LEVELS, { description: "The lowest level that is written.", examples: ["info"] }),
    format: word(LOG_FORMATS, { description: "text for people, json for programs.", examples: ["json"] }),
    file: path({
      description: "File to which the log is appended; SIGHUP reopens it. Without it the log goes to stderr.",
      examples: ["/var/log/stint/broker.log"],
    }),
  },
  { description: "The log for administrators. Options such as --log-level override it." },
);

/** The section `server`. */
const aged = (description: string, example: string) =>
  quantity("duration", {
    ...{ description, examples: [example] },
    ifZero: {
      why: "results would be removed at once, before anybody could fetch them",
      remedy: "leave it out to keep all",
    },
  });

export const serverShape = mapping(
  {
    stateDir: as(
      "stateDirectory",
      path({
        description: "The state directory, on a disk of this machine. STINT_STATE_DIR overrides it.",
        examples: ["/var/lib/stint"],
      }),
    ),
    inputs: path({
      description:
        "The directory whose files callers with a token may use as input files. Without it they may use " +
        "none.",
      examples: ["/shared/inputs"],
    }),
    port: orNone(count({ least: 0, most: 65_535 }), {
      description:
        "The port to listen on: 0 for any free port, none for the socket only. STINT_PORT overrides " + "it.",
      ...{ default: "7846", examples: ["7846", "0", "none"] },
    }),
    host: text({
      description: "The address to listen on, or a host name; other machines can be served only with tls.",
      ...{ default: "127.0.0.1", examples: ["0.0.0.0", "broker.example.org"] },
      pattern: "^(?=.{1,253}$)([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)$",
      mismatch: {
        code: "badHost",
        noun: "address of this machine",
        why: "it is an address like 10.0.0.7 or ::, or a host name, without a port",
        remedy: "write for instance host: 0.0.0.0, which is every address that this machine has",
      },
    }),
    retention: as(
      "retentionMs",
      quantity("duration", {
        description:
          "Events older than this are moved from the log to files in stateDir/archive, at the start and " +
          "once a day. Without it they stay in the log.",
        examples: ["90d"],
        ifZero: {
          why: "every event would be archived at once",
          remedy: "omit it to keep all events in the log",
        },
      }),
    ),
    jobRetention: mapping(
      {
        files: as("filesMs", aged("Time after its end at which the files of a job are removed.", "30d")),
        records: as(
          "recordsMs",
          aged("Time after its end at which a job is purged; its accounting stays.", "365d"),
        ),
      },
      {
        description: "Retention of ended jobs. By default they are kept until a user removes them.",
        examples: ["{ files: 30d }"],
      },
    ),
    mail: mapping(
      {
        sendmail: text({
          description: "Absolute path of sendmail, or of a program with the same options.",
          ...{ default: "/usr/sbin/sendmail", examples: ["/usr/sbin/sendmail"], pattern: "^/[^\\p{Cc}]+$" },
          mismatch: { code: "badSendmail", noun: "absolute path of a program", why: "it begins with a /" },
        }),
        from: text({
          description: "Sender of the messages.",
          ...{ examples: ["stint@example.org"], pattern: MAIL_ADDRESS_PATTERN },
          mismatch: { code: "badMailAddress", noun: "mail address", why: "it is NAME@DOMAIN" },
        }),
        domains: list(
          text({
            pattern: "^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$",
            mismatch: { code: "badMailDomain", noun: "domain", why: "it is a name like example.org" },
          }),
          {
            description: "Domains to which mail may be sent. An address without a domain gets the first one.",
            ...{ orOne: true, examples: ["[example.org]"] },
          },
        ),
      },
      {
        description: "Mail about jobs that ask for it. By default no mail is sent.",
        examples: ["{ from: stint@example.org, domains: [example.org] }"],
        required: {
          from: "each message needs a sender",
          domains: "anybody who may submit jobs could otherwise write to any address",
        },
      },
    ),
    audit: mapping(
      {
        syslog: text({
          description:
            "Receiver of the audit in the form of RFC 5424: udp://HOST:PORT or tcp://HOST:PORT, the latter " +
            "with counted frames (RFC 6587).",
          examples: ["tcp://loghost.example.org:601", "udp://127.0.0.1:514"],
          pattern: SYSLOG_ADDRESS,
          mismatch: {
            code: "badSyslogAddress",
            noun: "address of a syslog receiver",
            why: "it begins with udp:// or tcp://, followed by a host, a colon and a port",
            remedy: "write for instance syslog: tcp://loghost.example.org:601",
          },
        }),
      },
      {
        description:
          "Receiver of audit records, in addition to the log: starts and ends of jobs in pilots with their " +
          "accounts, " +
          "refusals, denied requests, access tokens. By default nowhere.",
        examples: ["{ syslog: tcp://loghost.example.org:601 }"],
      },
    ),
    log,
    tls: mapping(
      { cert: tlsFile("broker.pem"), key: tlsFile("broker.key") },
      {
        description:
          "Serves https with a certificate (including intermediate ones) and its private key, both files " +
          "in PEM format. They are read again when they change.",
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
