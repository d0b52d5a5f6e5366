/** Latest ended jobs at a site from the logbook. */
import { type PastJob, pastOfRecords } from "../../engine/index.ts";
import { isFinal, JOB_STATES, type SiteOffer } from "../../model/index.ts";
import { jobOf, type Logbook } from "../../runtime/index.ts";

const MOST_JOBS = 5000;
const PAGE = 1000;

/** The latest jobs that were at a site and are over. */
export async function pastInLogbook(
  logbook: Pick<Logbook, "rows">,
  site: string,
  offer: SiteOffer,
): Promise<readonly PastJob[]> {
  const past: PastJob[] = [];
  const where = { site: { is: site }, state: { oneOf: JOB_STATES.filter(isFinal) } };
  let after: string | undefined;
  do {
    const page = await logbook.rows("jobs", {
      where,
      orderBy: "ord",
      descending: true,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    past.push(
      ...pastOfRecords(
        page.rows.map(({ record }) => jobOf(record)),
        offer,
      ),
    );
    after = page.next;
  } while (after !== undefined && past.length < MOST_JOBS);
  return past;
}
