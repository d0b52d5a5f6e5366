/** Program of the jobs that run tasks or other jobs, by which the broker knows them. */
export const PILOT_PROGRAM = "stint-pilot";
