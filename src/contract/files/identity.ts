/** Local accounts of the jobs that pilots run, in `stint.yaml`. */
import { IDENTITY_MODES, LOCAL_ACCOUNT, SWITCH_HELPER } from "../../model/index.ts";
import { clockTime } from "./reservation-rules.ts";
import { as, list, type Mismatch, mapping, text, usually, word } from "./shape.ts";
import { consumerPath } from "./texts.ts";

const DAY_MS = 86_400_000;

const noAccount: Mismatch = {
  code: "badAccount",
  noun: "local account",
  why: "an account has lowercase letters, digits, _ and -, and no job may run as root",
};

const ruleShape = mapping(
  {
    path: usually(null, consumerPath),
    executable: usually(
      null,
      text({
        description: "Path of the program; a trailing * matches any text. By default any program.",
        examples: ["/opt/sim/*"],
      }),
    ),
    from: as(
      "fromMs",
      usually(
        0,
        clockTime("Start of the period, a time of day in UTC.", "^([01]\\d|2[0-3]):[0-5]\\d$", "22:00"),
      ),
    ),
    until: as(
      "untilMs",
      usually(
        DAY_MS,
        clockTime(
          "End of the period; if earlier than the start, on the next day.",
          "^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$",
          "06:00",
        ),
      ),
    ),
    account: usually(
      null,
      text({
        description: "The local account; with neither account nor pool the rule refuses the job.",
        ...{ pattern: LOCAL_ACCOUNT, examples: ["cms001"], mismatch: noAccount },
      }),
    ),
    pool: list(text({ pattern: LOCAL_ACCOUNT, mismatch: noAccount }), {
      description:
        "Accounts for a rule without account. Each is leased to one owner with jobs in pilots at a time.",
      examples: ["[cms001, cms002]"],
    }),
  },
  { description: "A mapping rule. The first that matches decides; jobs that no rule matches are refused." },
);

/** Mapping of jobs in pilots to local accounts. */
export const identityShape = mapping(
  {
    mode: usually(
      "none",
      word(IDENTITY_MODES, {
        description:
          "none: nothing is checked; verify: rules are checked, and jobs run under the pilot's account; " +
          "setpriv: pilots run as root and switch to the account of the rule; sudo: sudo starts a helper " +
          "as that account.",
        examples: ["verify"],
      }),
    ),
    helper: text({
      description: "Absolute path of the helper stint-as on the nodes, for sudo.",
      ...{ default: SWITCH_HELPER, examples: [SWITCH_HELPER], pattern: "^/[A-Za-z0-9/._-]+$" },
      mismatch: {
        code: "badHelper",
        noun: "absolute path of a program",
        why: "an absolute path begins with a /",
      },
    }),
    rules: usually(
      [],
      list(ruleShape, { description: "Mapping rules, of which the first that matches decides." }),
    ),
    banned: usually(
      [],
      list(consumerPath, { description: "Consumers whose jobs are refused, each with all below it." }),
    ),
  },
  {
    description: "Local accounts under which pilots run jobs. By default nothing is checked.",
    examples: ["{ mode: setpriv, rules: [{ path: cms, account: cms001 }], banned: [cms/eve] }"],
  },
);
