/** Mail about jobs: when, and to which addresses. */

/** When a job sends mail: when it begins, when it ends in whatever way, when it fails. */
export const MAIL_OCCASIONS = ["start", "end", "fail"] as const;
/** See {@link MAIL_OCCASIONS}. */
export type MailOccasion = (typeof MAIL_OCCASIONS)[number];

/** An address, or a name to which a domain is added. Nothing in it is special to a header or to a program. */
export const MAIL_ADDRESS_PATTERN =
  "^(?=.{1,254}$)[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}(@[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?)?$";

/**
 * The address to which mail goes.
 *
 * @param domains to which mail may be sent; a name without one gets the first
 * @returns undefined where it is no address, or in no such domain
 */
export function mailAddress(text: string, domains: readonly string[]): string | undefined {
  if (!new RegExp(MAIL_ADDRESS_PATTERN).test(text)) return undefined;
  const [name = "", domain = domains[0]] = text.split("@");
  const allowed = domains.find((one) => one.toLowerCase() === domain?.toLowerCase());
  return allowed === undefined ? undefined : `${name}@${allowed}`;
}
