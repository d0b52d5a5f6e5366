/** Why claims on plans are not found here, or only in part. */

/** Of MOGA's plans that only have to be cheap. */
export const CHEAPEST_IS_LATE =
  "the source leaves open how α chooses among the plans; here it weighs both costs normalised over the " +
  "plans found, so that from α = 0.6 on the last percent of cost is saved by plans that end hours later";

/** Of cost ratios on the smaller site. */
export const WHOLE_SLOTS = "the whole of an indivisible slot is paid for, however little of it is used";

/** Of directions between sizes of tasks or of workflows. */
export const ONE_APPLICATION =
  "each size is one drawn application, and applications differ by about 9 % in cost: differences between " +
  "neighbouring sizes are smaller than those between draws";

/** Of greedy plans by α. */
export const BUYS_TIME =
  "at α = 0 a plan pays for the delay of queued jobs, and so ends before a plan that pays for nothing";

/** Of the published ratios for single sizes of tasks. */
export const UNKNOWN_INSTANTS =
  "the instants of the source's 50 submissions are not known, and ratios differ widely between instants";

/** Of best effort on several sites. */
export const LEAST_TASKS =
  "best effort goes to the site with the fewest tasks, however long its queue is, so that a further busy " +
  "site helps little; plans see the free slots, and gain more from further sites than in the source";

/** Of greedy plans on several sites. */
export const MORE_SITES_HELP =
  "each further site has more free capacity, which greedy plans use; with two sites they pay more than in " +
  "the source for the delay of queued jobs";

/** Of best effort of the seismic workflow. */
export const SEISMIC_QUEUE =
  "the wait of its two tasks of 288 processors decides, which differs by log (cleaned here) and instant; " +
  "the least possible is 180,092 s";
