/**
 * Job descriptions in YAML: the words of the EGEE/gLite JDL in camelCase.
 */
import {
  ARRAY_PATTERN,
  DEFAULT_RANKS,
  DEPENDENCY_PATTERN,
  MAIL_ADDRESS_PATTERN,
  MAIL_OCCASIONS,
  MOST_REPLICAS,
  OUTPUT_PATTERN,
  QUEUE_PATTERN,
} from "../../model/index.ts";
import { applicationNames } from "./applications.ts";
import { checkpointFields } from "./checkpoints.ts";
import { inputDataFields } from "./input-data.ts";
import { expression, number, plain, words } from "./job-texts.ts";
import { largerRetryFields } from "./larger-retry.ts";
import { as, count, either, flag, list, mapping, names, notation, quantity, text, word } from "./shape.ts";
import { sweep } from "./sweep.ts";
import { CONSUMER_PATTERN, noConsumer, timeLimit } from "./texts.ts";

const VARIABLE = "[A-Za-z_][A-Za-z0-9_]*";
const fileName = (description: string, usual?: string) =>
  text({
    ...{ description, defined: "fileName", pattern: "^(?!\\.\\.?$)[^/\\p{Cc}]+$", examples: ["result.txt"] },
    ...(usual === undefined ? {} : { default: usual }),
    mismatch: {
      code: "notFileName",
      noun: "name of a file in the job's directory",
      why: "it is a single name, without / and without control characters",
    },
  });
const noVariable = {
  code: "badVariable",
  noun: "name of a variable",
  why: "a name has letters, digits and _, and does not begin with a digit",
  remedy: "rename it, for instance to OMP_NUM_THREADS",
};
const variables = list(
  text({
    pattern: `^${VARIABLE}=`,
    mismatch: {
      code: "badVariable",
      noun: "variable with a value",
      why: "in a list each is written NAME=value, and a name has letters, digits and _",
      remedy: "write NAME=value (NAME= for an empty value)",
    },
  }),
  { orOne: true, examples: ["[OMP_NUM_THREADS=4]"] },
);

/** The shape of one job. */
export const jobShape = mapping(
  {
    name: text({
      description: "Name of the job, for listings and searches; need not be unique.",
      ...{ pattern: "^[^\\p{Cc}]{1,200}$", examples: ["night-run"] },
      mismatch: {
        code: "badName",
        noun: "name of a job",
        why: "a name has 1 to 200 characters, none of them a control character",
      },
    }),
    executable: text({
      defined: "text",
      description:
        "The program: a name on the site's path, the base name of a file in inputSandbox, or an absolute " +
        "path.",
      examples: ["hostname", "run.sh", "/usr/bin/env"],
    }),
    arguments: words(
      "Its arguments: one text, split into words as a shell does without expanding anything, or a list.",
    ),
    environment: either(
      {
        mapping: names(plain, { keys: { pattern: `^${VARIABLE}$`, mismatch: noVariable } }),
        list: variables,
        scalar: variables,
      },
      {
        description: "Variables: a mapping of names to values, or a list of NAME=value.",
        examples: ["{ OMP_NUM_THREADS: 4 }"],
      },
    ),
    prologue: text({
      defined: "text",
      description:
        "A program that runs before the executable, and is located in the same way. If it fails, the " +
        "executable does not run.",
      examples: ["before.sh"],
    }),
    prologueArguments: words("Arguments of the prologue."),
    epilogue: text({
      defined: "text",
      description:
        "A program that runs after the executable, whatever its result; STINT_EXIT_CODE is the exit code " +
        "of the executable.",
      examples: ["after.sh"],
    }),
    epilogueArguments: words("Arguments of the epilogue."),
    signalBefore: text({
      description: "A signal to the program, and how many seconds before the time limit it is sent.",
      ...{ pattern: "^(HUP|INT|QUIT|USR1|USR2|TERM)@[1-9]\\d{0,6}$", examples: ["USR1@300"] },
      mismatch: {
        code: "badSignalBefore",
        noun: "signal before the limit",
        why: "it must be HUP, INT, QUIT, USR1, USR2 or TERM, then @ and a number of seconds",
        remedy: "write for instance USR1@300",
      },
    }),
    interactive: flag({
      description: "True for a program with a terminal, which its owner reaches by `stint attach`.",
      default: "false",
    }),
    stdInput: fileName(
      "Base name of the file in inputSandbox that becomes its standard input. Without it, standard " +
        "input is empty.",
    ),
    workingDirectory: text({
      description:
        "Absolute path of the directory at the site in which the program runs; by default the job's " +
        "own directory. Output files are taken from the job's own directory in either case.",
      ...{ pattern: "^/[^\\p{Cc}]*$", examples: ["/data/run7"] },
      mismatch: {
        code: "badDirectory",
        noun: "absolute path of a directory",
        why: "a relative path has no meaning at the site",
      },
    }),
    stdOutput: fileName(
      "The file in the job's directory that takes what the program writes to its standard output.",
      "stdout",
    ),
    stdError: fileName("The same for its standard error.", "stderr"),
    inputSandbox: list(text({ defined: "path" }), {
      description:
        "Files, directories and patterns (*, ?, **) that are sent with the job, relative to the " +
        "description's folder; directories keep their structure, and names in the job's directory are " +
        "unique.",
      ...{ orOne: true, examples: ["[run.sh, data/input.txt]"] },
    }),
    outputSandbox: list(
      text({
        pattern: OUTPUT_PATTERN,
        mismatch: {
          code: "notInnerPath",
          noun: "path in the job's directory",
          why: "it is relative, without .. and without control characters",
          remedy: 'write for instance result.txt, results/ or "*.dat"',
        },
      }),
      {
        description:
          "Files, directories and patterns (*, ?, **) in the job's directory to download; directories keep " +
          "their structure.",
        ...{ orOne: true, examples: ['[results/, "*.dat", "out/**/*.csv"]'] },
      },
    ),
    procs: { ...number("Processors.", "4"), default: "1" },
    hostNumber: number("Nodes over which the processors are spread. Without it the site chooses.", "2"),
    smpGranularity: number("Processors per node.", "8"),
    preferredQueues: list(
      text({
        pattern: QUEUE_PATTERN,
        mismatch: {
          code: "badQueue",
          noun: "name of a queue",
          why: "a name has up to 100 letters, digits and . _ + @ -",
        },
      }),
      {
        description:
          "Queues or partitions: at a cluster under Slurm the job is submitted to the first of them that " +
          "is there and meets its requirements. Without one, and at other sites, it has no effect.",
        ...{ orOne: true, examples: ["[long]"] },
      },
    ),
    mail: list(word(MAIL_OCCASIONS, { description: "An occasion.", examples: ["end"] }), {
      description:
        "When mail about the job is sent: start, end (successful or not) and fail. For an array, one " +
        "message is sent when its first job starts, and one when its last job has ended. Mail must be " +
        "enabled at the broker (server.mail).",
      ...{ orOne: true, examples: ["[end]"] },
    }),
    mailTo: text({
      description: "Address to which mail is sent; by default the job's owner.",
      ...{ pattern: MAIL_ADDRESS_PATTERN, examples: ["ada@example.org"] },
      mismatch: {
        code: "badMailAddress",
        noun: "mail address",
        why: "it must be NAME@DOMAIN, with letters, digits and . _ % + -",
        remedy: "write for instance ada@example.org",
      },
    }),
    wholeNodes: flag({
      description: "true: no other job runs on its nodes. Only clusters under Slurm can do that.",
      default: "false",
    }),
    memory: as(
      "memoryBytes",
      quantity("size", {
        description: "Memory: K M G T P are 1024-based, kB MB GB TB PB 1000-based, a plain number is bytes.",
        examples: ["4G", "512M"],
        ifZero: { why: "the amount must be above 0", remedy: "omit it if any amount is enough" },
      }),
    ),
    gpus: number("Graphics processors.", "1"),
    wallTime: as(
      "wallTimeMs",
      timeLimit(
        "The time limit; a plain number is seconds. Without one the site's default holds.",
        "a job that may run for no time cannot run",
      ),
    ),
    delayCost: as(
      "delayCostSuPerHour",
      count({
        description:
          "Cost of delaying the job by an hour, in SU, which a reservation that delays it must pay; by " +
          "default one SU per processor. A higher value needs a budget (delayBudgets) at the site.",
        ...{ least: 0, most: 1_000_000_000, examples: ["16"] },
      }),
    ),
    site: text({
      description: "Site at which the job must run; by default the broker chooses.",
      ...{ pattern: "^[^\\s\\p{Cc}]+$", examples: ["cluster-a"] },
      mismatch: {
        code: "badSite",
        noun: "name of a site",
        why: "a name is not empty and has no blanks",
        remedy: "write the name of one site, or omit it to let the broker choose",
      },
    }),
    // An id as the broker gives it, whole: a description is read where no broker can say which one is meant.
    reservation: text({
      description: "Complete id of the reservation in which the job runs; it sets the site and the time.",
      ...{ pattern: "^[a-z0-9-]{1,64}$", examples: ["7f3aabcdefgh"] },
      mismatch: {
        code: "badReservation",
        noun: "id of a reservation",
        why: "an id has lowercase letters, digits and -",
        remedy:
          "write the whole id that `stint reservations` shows, or leave it out to queue like any other job",
      },
    }),
    ticket: text({
      description:
        "A ticket of its organisation, as the line that stint ticket issue printed. The job runs at the " +
        "ticket's site.",
      keywords: { pattern: "^stint-ticket[.]v1[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]{86}$" },
    }),
    virtualOrganisation: text({
      description:
        "The VO or group for which the job runs: a path below or above the submitter's own consumer path.",
      ...{ pattern: CONSUMER_PATTERN, examples: ["cms", "cms/higgs"] },
      mismatch: {
        ...noConsumer,
        code: "badOrganisation",
        remedy: "write a VO, or a group of it, for instance cms/higgs; or leave it out to run as you are",
      },
    }),
    array: text({
      description:
        "An array of such jobs, by their indexes: 0-9, 1,3,5 or 0-20:4; after % how many run at once. Each " +
        "finds its index in the variable STINT_ARRAY_INDEX.",
      ...{ pattern: ARRAY_PATTERN, examples: ["0-99", "0-999%50"] },
      mismatch: {
        code: "badArray",
        noun: "list of indexes",
        why: "indexes are numbers, ranges and steps; the number after % limits how many run at once",
        remedy: "write for instance 0-99, 1,3,5 or 0-999%50",
      },
    }),
    sweep,
    after: list(
      text({
        pattern: DEPENDENCY_PATTERN,
        mismatch: {
          code: "badDependency",
          noun: "dependency",
          why: "it is ok:, failed: or any: and the id of a job",
          remedy: "write for instance ok:7f3aabcdefgh",
        },
      }),
      {
        description: "Jobs that have to end first, and how: ok:ID, failed:ID or any:ID.",
        ...{ orOne: true, examples: ["[ok:7f3aabcdefgh]"] },
      },
    ),
    requirements: expression(
      "What its site must fulfil, as a ClassAd expression; other. is the site, with its GLUE names.",
      ['other.GlueCEInfoLRMSType == "slurm"', "other.GlueHostMainMemoryRAMSize >= 64000"],
    ),
    applications: applicationNames,
    ...inputDataFields,
    rank: expression(
      "What orders the sites that fulfil the requirements, as a ClassAd expression: the greatest first. " +
        "Without one the predicted response time counts.",
      ["other.GlueCEStateFreeCPUs"],
    ),
    fuzzyRank: text({
      description:
        "Random choice among sites, weighted by rank: true, or a factor; a larger factor gives the rank " +
        "more weight.",
      ...{ pattern: "^(true|false|\\d{1,9}(\\.\\d{1,9})?)$", examples: ["true", "0.5"] },
      mismatch: {
        code: "badFuzzyRank",
        noun: "true, false or factor",
        why: "a factor is a number above 0",
      },
    }),
    strictDefaults: flag({
      description:
        "false: only the requirements apply, as in JDL. Otherwise sites must also be in production " +
        '(other.GlueCEStateStatus == "Production").',
    }),
    defaultRank: word(DEFAULT_RANKS, {
      description:
        "Order of sites for a job without a rank: response (predicted response time) or literal (the " +
        "default of JDL).",
      default: "response",
    }),
    expiryTime: notation("date", {
      description: "Instant, with zone, after which the job is no longer matched and is aborted.",
      pattern: "^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d))?$",
      examples: ["2026-12-01T12:00Z"],
      mismatch: {
        code: "badExpiryTime",
        noun: "instant",
        why: "it is a valid date, or a date with a time and a zone",
      },
    }),
    retryCount: count({
      description: "Maximum number of retries after the site has lost the job.",
      ...{ least: 0, most: 1000, default: "0", examples: ["2"] },
    }),
    shallowRetryCount: count({
      description:
        "Maximum number of resubmissions if the job does not start, also to the same site; -1: none. " +
        "By default three, each to another site, and none if its program cannot be executed.",
      ...{ least: -1, most: 1000, examples: ["5"] },
    }),
    queueTime: as(
      "queueTimeMs",
      timeLimit(
        "Time in the queue of a site after which the job, if it has not begun, leaves that queue and is " +
          "matched again; other sites are preferred. When no retry is left (see `shallowRetryCount`) it is " +
          "aborted.",
        "it would leave each queue at once",
      ),
    ),
    replicas: count({
      description:
        "Number of sites in whose queues the job waits at once. It starts at the first that can start it, " +
        "and is withdrawn from the others.",
      ...{ least: 1, most: MOST_REPLICAS, default: "1", examples: ["3"] },
    }),
    ...largerRetryFields,
    ...checkpointFields,
    attributes: names(expression("One of them."), {
      description: "Further attributes of the job's ad, each a ClassAd expression; sites may refer to them.",
      examples: ["{ Experiment: '\"cms\"' }"],
      keys: {
        pattern: "^[^\\p{Cc}]{1,200}$",
        mismatch: {
          code: "badAttributeName",
          noun: "name of an attribute",
          why: "a name has 1 to 200 characters, none of them a control character",
        },
      },
    }),
    userTags: names(plain, {
      description: "Your own names and values, for searches.",
      examples: ["{ experiment: cms, run: 7 }"],
      keys: {
        pattern: "^[^\\p{Cc}]+$",
        mismatch: {
          code: "badTag",
          noun: "name of a tag",
          why: "a name is not empty and has no control characters",
        },
      },
    }),
  },
  {
    description: "One job. A YAML file may contain several, separated by lines of three dashes.",
    ...{ isOpen: true, examples: ["{ executable: hostname }"] },
    required: { executable: "a job needs a program to run, and none is given" },
  },
);
