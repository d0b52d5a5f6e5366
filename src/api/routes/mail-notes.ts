/** Notes on submitted jobs that ask for mail which will not be sent. */
import type { JobSubmission } from "../../contract/index.ts";
import { mailAddress } from "../../model/index.ts";

const NO_MAIL = "this broker sends no mail; its administrator can switch it on with `mail` in stint.yaml";

/** Notes for the submitter, each once. @param domains those that mail may go to; none: no mail is sent */
export function mailNotes(
  submissions: readonly Pick<JobSubmission, "mail" | "mailTo">[],
  owner: string,
  domains: readonly string[],
): string[] {
  const asking = submissions.filter(({ mail = [] }) => mail.length > 0);
  if (asking.length > 0 && domains.length === 0) return [NO_MAIL];
  const addresses = new Set(asking.map(({ mailTo }) => mailTo ?? owner));
  const refused = [...addresses].filter((address) => mailAddress(address, domains) === undefined);
  return refused.map(
    (address) =>
      `no mail will be sent to ${address}: this broker sends mail to addresses at ${domains.join(", ")} only`,
  );
}
