/** Outcomes of directives about mail. */
import { MAIL_ADDRESS_PATTERN, type MailOccasion } from "../../model/index.ts";
import { noEffect, notTranslated, type Outcome, sets } from "./outcome.ts";

/** Occasions by the word, or the letter, of a batch system; several where it stands for several. */
export type MailWords = Readonly<Record<string, readonly MailOccasion[]>>;

const OTHERS = "mail is sent only at start, end and fail";

/** Outcome of a directive on mail; the words that name its occasions are looked up in `table`. */
export function mailOutcome(words: readonly string[], table: MailWords): Outcome {
  const known = words.flatMap((word) => table[word] ?? []);
  const isKnown = words.every((word) => table[word] !== undefined);
  const mail = (["start", "end", "fail"] as const).filter((occasion) => known.includes(occasion));
  if (mail.length > 0) return sets({ mail }, isKnown ? undefined : OTHERS);
  return isKnown ? noEffect("no mail is sent") : notTranslated(OTHERS);
}

/** Outcome of an address. */
export function mailToOutcome(value: string): Outcome {
  if (new RegExp(MAIL_ADDRESS_PATTERN).test(value)) return sets({ mailTo: value });
  return notTranslated("mail goes to one address, a name or NAME@DOMAIN: write mailTo");
}

/** Letters of PBS and of Grid Engine: abort, begin, end, suspension, none. */
export const LETTERS_OF_MAIL: MailWords = {
  ...{ n: [], p: [], a: ["fail"], b: ["start"], e: ["end"] },
};

/** Words of LoadLeveler and of HTCondor. */
export const WORDS_OF_MAIL: MailWords = {
  ...{ never: [], start: ["start"], complete: ["end"], error: ["fail"], always: ["start", "end", "fail"] },
};
