/** Mail about jobs: when, and to which addresses. */

/** Occasions for mail about a job: its start, its end (successful or not), its failure. */
export const MAIL_OCCASIONS = ["start", "end", "fail"] as const;
/** See {@link MAIL_OCCASIONS}. */
export type MailOccasion = (typeof MAIL_OCCASIONS)[number];

/** Address, or name to which a domain is added; no character is special in headers or command lines. */
export const MAIL_ADDRESS_PATTERN =
  "^(?=.{1,254}$)[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}(@[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?)?$";

/**
 * The address to which mail goes.
 *
 * @param domains to which mail may be sent; a name without one gets the first
 * @returns undefined if the text is not an address, or its domain is not among these
 */
export function mailAddress(text: string, domains: readonly string[]): string | undefined {
  if (!new RegExp(MAIL_ADDRESS_PATTERN).test(text)) return undefined;
  const [name = "", domain = domains[0]] = text.split("@");
  const allowed = domains.find((one) => one.toLowerCase() === domain?.toLowerCase());
  return allowed === undefined ? undefined : `${name}@${allowed}`;
}
