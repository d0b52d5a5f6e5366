/**
 * A limit on the processors that a user's jobs may have at once, in the manner of Maui's MAXPROC.
 *
 * A job beyond its user's limit is not considered: it stays outside the queue. It differs from [MAUI] in
 * this way: what counts against the limit is what the user has running *and* in the queue, so that no
 * pass can start more than the limit; so a job of his that waits keeps later ones of his out that do not
 * fit beside it. A job wider than the limit enters when he has nothing else there.
 * Cost: O(the user's jobs outside) when one of his ends.
 */

/** Decides which jobs enter the queue, in order of submission. */
export interface Throttle<Job> {
  /** Adds a submitted job; `entering` returns the jobs that may enter. */
  readonly submit: (user: string, procs: number, job: Job) => void;
  /** A job is there that nothing keeps out. */
  readonly entered: (user: string, procs: number) => void;
  /** Takes a job away that has not entered; false where it is none. */
  readonly withdraw: (user: string, job: Job) => boolean;
  /** A job that had entered is gone. */
  readonly left: (user: string, procs: number) => void;
  /** Jobs that enter now, in order of submission; each is returned once. */
  readonly entering: () => readonly Job[];
}

interface Candidate<Job> {
  readonly sequence: number;
  readonly procs: number;
  readonly job: Job;
}

interface UserAtDoor<Job> {
  readonly limit: number;
  inside: number;
  outside: Candidate<Job>[];
}

/** A throttle; users without a limit are never kept out. */
export function createThrottle<Job>(limitOf: (user: string) => number | undefined): Throttle<Job> {
  const users = new Map<string, UserAtDoor<Job>>();
  const changed = new Set<UserAtDoor<Job>>();
  let sequence = 0;

  function atDoor(name: string): UserAtDoor<Job> {
    let user = users.get(name);
    if (user === undefined) {
      user = { limit: limitOf(name) ?? Number.POSITIVE_INFINITY, inside: 0, outside: [] };
      users.set(name, user);
    }
    return user;
  }

  return {
    submit: (name, procs, job) => {
      const user = atDoor(name);
      user.outside.push({ sequence: sequence++, procs, job });
      changed.add(user);
    },
    entered: (name, procs) => {
      atDoor(name).inside += procs;
    },
    withdraw: (name, job) => {
      const user = atDoor(name);
      const staying = user.outside.filter((candidate) => candidate.job !== job);
      const wasOutside = staying.length < user.outside.length;
      user.outside = staying;
      return wasOutside;
    },
    left: (name, procs) => {
      const user = atDoor(name);
      user.inside -= procs;
      changed.add(user);
    },
    entering: () => {
      const entering = [...changed].flatMap(letIn);
      changed.clear();
      return entering.sort((a, b) => a.sequence - b.sequence).map(({ job }) => job);
    },
  };
}

function letIn<Job>(user: UserAtDoor<Job>): Candidate<Job>[] {
  const entering: Candidate<Job>[] = [];
  const staying: Candidate<Job>[] = [];
  for (const candidate of user.outside) {
    const isAlone = user.inside === 0;
    if (!isAlone && user.inside + candidate.procs > user.limit) staying.push(candidate);
    else {
      user.inside += candidate.procs;
      entering.push(candidate);
    }
  }
  user.outside = staying;
  return entering;
}
