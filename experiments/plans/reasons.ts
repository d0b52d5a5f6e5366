/** Reasons why claims on plans are not reproduced, or only in part. */

/** Why MOGA's plans end late if their cost has most weight. */
export const CHEAPEST_IS_LATE =
  "the source leaves open how α chooses among the plans; here it weighs both costs normalised over the " +
  "plans found, so that from α = 0.6 on the last percent of cost is saved by plans that end hours later";

/** Why cost ratios on the smaller site differ. */
export const WHOLE_SLOTS = "the whole of an indivisible slot is paid for, however little of it is used";

/** Why trends over sizes of tasks or workflows are not found. */
export const ONE_APPLICATION =
  "each size is one drawn application, and applications differ by about 9 % in cost: differences between " +
  "neighbouring sizes are smaller than those between draws";

/** Why greedy plans at α = 0 end earlier. */
export const BUYS_TIME =
  "at α = 0 a plan pays for the delay of queued jobs, and so ends before a plan that pays for nothing";

/** Why ratios for single sizes of tasks differ from the published ones. */
export const UNKNOWN_INSTANTS =
  "the instants of the source's 50 submissions are not known, and ratios differ widely between instants";

/** Why further sites help best effort little. */
export const LEAST_TASKS =
  "best effort goes to the site with the fewest tasks, however long its queue is, so that a further busy " +
  "site helps little; plans see the free slots, and gain more from further sites than in the source";

/** Why further sites help greedy plans more than in the source. */
export const MORE_SITES_HELP =
  "each further site has more free capacity, which greedy plans use; with two sites they pay more than in " +
  "the source for the delay of queued jobs";

/** Why best effort of the seismic workflow takes another time. */
export const SEISMIC_QUEUE =
  "the wait of its two tasks of 288 processors decides, which differs by log (cleaned here) and instant; " +
  "the least possible is 180,092 s";
