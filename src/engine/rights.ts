/**
 * Access rights (rule EN-14): one table of roles, actions and subjects; everything else is denied.
 *
 * With an action, a role reaches the user's own subjects (submitted by the user, or for the user), those in
 * the user's subtree of consumers, those at the user's site, or all. Scopes only take away. Viewing a job and
 * acting on it reach equally far for every role that acts at all, so no such role may view a job that it may
 * not act on.
 */
import {
  type Action,
  type ActionRights,
  FEATURE_ACTIONS,
  type Identity,
  isOfProgram,
  isWithin,
  type JobVerb,
  type PersonRole,
  PROGRAM_ROLES,
  type Reach,
  type Role,
  SCOPES,
  type Scope,
} from "../model/index.ts";

/** Subject of an action, as far as it is known; unknown properties are not reached. */
export interface Subject {
  readonly owner?: string;
  readonly consumer?: string;
  readonly site?: string | null;
  /** Of a token. */
  readonly role?: Role;
}

/** Somebody whose jobs or reservations are looked for. */
interface Somebody {
  readonly owner: string;
  readonly consumer: string;
}

/** Which jobs or reservations: all conditions hold; all where there is none. */
export interface ObservedJob {
  /** Theirs: submitted by this owner, or by somebody else for exactly this consumer. */
  readonly of?: Somebody;
  readonly owner?: string;
  readonly consumer?: string;
  readonly site?: string;
}

type Rights = Partial<Record<Action, Reach>>;

const jobs = (reach: Reach): Rights => ({
  seeJob: reach,
  cancel: reach,
  hold: reach,
  release: reach,
  suspend: reach,
  resume: reach,
});
const reservations = (reach: Reach): Rights => ({ seeReservation: reach, actOnReservation: reach });
const enforcement = (reach: Reach): Rights => ({
  seePolicy: "all",
  pauseEnforcement: reach,
  undoEnforcement: reach,
});
const simulations = (reach: Reach): Rights => ({
  simulate: "own",
  seeSimulation: reach,
  changeSimulation: "own",
});
const tokens = (reach: Reach): Rights => ({ createToken: reach, seeToken: reach, revokeToken: reach });

/** Reach of each role of people; an action neither here nor with a feature is denied. */
const RIGHTS: Readonly<Record<PersonRole, Rights>> = {
  admin: {
    ...{ submit: "all", assess: "all" },
    ...jobs("all"),
    seeSite: "all",
    changeSite: "all",
    ...tokens("all"),
    seeLog: "all",
    ...{ stopBroker: "all", archiveLog: "all", manageWebhooks: "all" },
    ...{ quote: "all", reserve: "all" },
    ...reservations("all"),
    seeAccount: "all",
    grant: "all",
    ...enforcement("all"),
    changePolicy: "all",
    seeUsage: "all",
    ...{ seeVo: "all", changeVo: "all" },
    ...simulations("all"),
    changeSimulation: "all",
  },
  siteAdmin: {
    ...jobs("site"),
    seeSite: "all",
    changeSite: "site",
    ...reservations("site"),
    seeAccount: "site",
    grant: "site",
    ...enforcement("site"),
    seeUsage: "site",
    ...simulations("own"),
  },
  operator: {
    ...jobs("all"),
    seeSite: "all",
    ...reservations("all"),
    seeAccount: "all",
    ...enforcement("all"),
    seeUsage: "all",
    seeVo: "all",
    ...simulations("all"),
  },
  voAdmin: {
    ...{ submit: "subtree", assess: "subtree" },
    ...jobs("subtree"),
    seeSite: "all",
    ...tokens("subtree"),
    ...{ quote: "subtree", reserve: "subtree" },
    ...reservations("subtree"),
    seeAccount: "subtree",
    seePolicy: "all",
    seeUsage: "subtree",
    ...{ seeVo: "subtree", changeVo: "subtree" },
    ...simulations("subtree"),
  },
  auditor: {
    seeJob: "all",
    seeSite: "all",
    seeToken: "all",
    seeLog: "all",
    seeReservation: "all",
    seeAccount: "all",
    seePolicy: "all",
    seeUsage: "all",
    seeVo: "all",
    seeSimulation: "all",
  },
  user: {
    ...{ submit: "subtree", assess: "subtree" },
    ...jobs("own"),
    seeSite: "all",
    ...{ quote: "subtree", reserve: "subtree" },
    ...reservations("own"),
    seeAccount: "subtree",
    seePolicy: "all",
    seeUsage: "subtree",
    ...simulations("own"),
  },
};

/** The scope that an action needs of a narrowed token; one that is not here is closed to all of those. */
const SCOPE_OF: Readonly<Partial<Record<Action, Scope>>> = {
  submit: "compute.create",
  // Asking what would be leaves nothing behind.
  assess: "compute.read",
  quote: "compute.read",
  seeJob: "compute.read",
  seeSite: "compute.read",
  seeLog: "compute.read",
  cancel: "compute.cancel",
  hold: "compute.modify",
  release: "compute.modify",
  suspend: "compute.modify",
  resume: "compute.modify",
  reserve: "compute.create",
  seeReservation: "compute.read",
  seeAccount: "compute.read",
  seePolicy: "compute.read",
  seeUsage: "compute.read",
  seeVo: "compute.read",
  actOnReservation: "compute.modify",
  simulate: "compute.create",
  seeSimulation: "compute.read",
  changeSimulation: "compute.modify",
};

/** Roles of the tokens that a VO admin may create, list and revoke: none above their own. */
const VO_ROLES: readonly (Role | undefined)[] = ["user", "voAdmin"];

/** True if an identity may perform this action on this subject. */
export function mayDo(who: Identity, action: Action, subject: Subject): boolean {
  switch (reachOf(who, action)) {
    case "all":
      return true;
    case "own":
      return isOf(subject, who);
    case "site":
      return who.site !== undefined && subject.site === who.site;
    case "subtree":
      return (
        subject.consumer !== undefined &&
        isWithin(subject.consumer, who.consumer) &&
        (!action.endsWith("Token") || VO_ROLES.includes(subject.role))
      );
    default:
      return false;
  }
}

/** True for what somebody submitted, and for what an administrator submitted for them. */
export function isOf(subject: Pick<Subject, "owner" | "consumer">, { owner, consumer }: Somebody): boolean {
  return subject.owner === owner || subject.consumer === consumer;
}

/** True if a subject can exist on which an identity may perform this action. */
export function mayEver(who: Identity, action: Action): boolean {
  return reachOf(who, action) !== undefined;
}

/** All actions that an identity may perform on some subject, sorted. */
export function actionsOf(who: Identity): Action[] {
  const named = [...Object.values(RIGHTS), ...Object.values(PROGRAM_ROLES).map(({ may }) => may)];
  const actions = [...named.flatMap(Object.keys), ...Object.keys(FEATURE_ACTIONS)] as Action[];
  return [...new Set(actions)].filter((action) => mayEver(who, action)).sort();
}

/**
 * The jobs, or the reservations, to which somebody may do this: exactly those that `mayDo` allows; undefined
 * where none.
 */
export function jobsWithin(
  who: Identity,
  action: JobVerb | "seeJob" | "seeReservation" | "actOnReservation",
): ObservedJob | undefined {
  switch (reachOf(who, action)) {
    case "all":
      return {};
    case "own":
      return { of: { owner: who.owner, consumer: who.consumer } };
    case "site":
      return who.site === undefined ? undefined : { site: who.site };
    case "subtree":
      return { consumer: who.consumer };
    default:
      return undefined;
  }
}

/** Reach of the role; undefined where a scope is missing, or the role or action is unknown. */
function reachOf({ role, scopes = SCOPES }: Identity, action: Action): Reach | undefined {
  const { reach, scope } = rightOf(role, action);
  const isWithinScopes =
    scope === undefined ? SCOPES.every((it) => scopes.includes(it)) : scopes.includes(scope);
  return isWithinScopes ? reach : undefined;
}

function rightOf(role: Role, action: Action): { readonly reach?: Reach; readonly scope?: Scope } {
  if (isOfFeature(action)) {
    const { may, scope }: ActionRights = FEATURE_ACTIONS[action];
    return { ...own(may, role), ...(scope === undefined ? {} : { scope }) };
  }
  const scope = SCOPE_OF[action];
  const rights: Rights = isOfProgram(role) ? PROGRAM_ROLES[role].may : rightsOfPerson(role);
  return { ...own(rights, action), ...(scope === undefined ? {} : { scope }) };
}

function rightsOfPerson(role: PersonRole): Rights {
  return Object.hasOwn(RIGHTS, role) ? RIGHTS[role] : {};
}

function own(table: Readonly<Partial<Record<string, Reach>>>, name: string): { readonly reach?: Reach } {
  const reach = Object.hasOwn(table, name) ? table[name] : undefined;
  return reach === undefined ? {} : { reach };
}

function isOfFeature(action: Action): action is keyof typeof FEATURE_ACTIONS {
  return Object.hasOwn(FEATURE_ACTIONS, action);
}
