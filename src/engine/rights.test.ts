import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import {
  type Action,
  type Identity,
  isOfSite,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
} from "../model/index.ts";
import { jobsWithin, mayDo, mayEver, type Subject } from "./index.ts";

/** The whole matrix; a column is a subject below, `+` is yes. Nothing that is not here is allowed. */
const JOBS = [
  ...(["own", "same VO", "other VO", "other site"] as const),
  ...(["submitted for it", "submitted for one below it"] as const),
] as const;
const ACTS = ["seeJob", "cancel", "hold", "release", "suspend", "resume"] as const;
/** Everybody here is of `cms`; site admins have the site `here`, at which the first three jobs are. */
const jobs: Readonly<Record<(typeof JOBS)[number], Subject>> = {
  own: { owner: "cms/higgs/ann", consumer: "cms/higgs/ann", site: "here" },
  "same VO": { owner: "cms/top/bob", consumer: "cms/top/bob", site: "here" },
  "other VO": { owner: "cms2/eve", consumer: "cms2/eve", site: "here" },
  "other site": { owner: "cms2/eve", consumer: "cms2/eve", site: "there" },
  "submitted for it": { owner: "root", consumer: "cms/higgs/ann", site: "here" },
  "submitted for one below it": { owner: "root", consumer: "cms/higgs/ann/x", site: "here" },
};
//                  the subjects above in order: for seeJob and then for each of the five verbs
const jobMatrix: Readonly<Record<Role, readonly string[]>> = {
  admin: ["++++++", "++++++", "++++++", "++++++", "++++++", "++++++"],
  siteAdmin: ["+++-++", "+++-++", "+++-++", "+++-++", "+++-++", "+++-++"],
  operator: ["++++++", "++++++", "++++++", "++++++", "++++++", "++++++"],
  voAdmin: ["++--++", "++--++", "++--++", "++--++", "++--++", "++--++"],
  auditor: ["++++++", "------", "------", "------", "------", "------"],
  user: ["+---+-", "+---+-", "+---+-", "+---+-", "+---+-", "+---+-"],
  sensor: ["------", "------", "------", "------", "------", "------"],
  follower: ["------", "------", "------", "------", "------", "------"],
  peer: ["------", "------", "------", "------", "------", "------"],
};
//                  submit as: self, below self, same VO, other VO
const submitMatrix: Readonly<Record<Role, string>> = {
  admin: "++++",
  siteAdmin: "----",
  operator: "----",
  voAdmin: "+++-",
  auditor: "----",
  user: "++--",
  sensor: "----",
  follower: "----",
  peer: "----",
};
//                  see: here, there, any; change (drain, reopen): here, there; any, which is to add one
const siteMatrix: Readonly<Record<Role, string>> = {
  admin: "++++++",
  siteAdmin: "++++--",
  operator: "+++---",
  voAdmin: "+++---",
  auditor: "+++---",
  user: "+++---",
  sensor: "------",
  follower: "------",
  peer: "------",
};
const sites: readonly (readonly [string, Subject])[] = [
  ["here", { site: "here" }],
  ["there", { site: "there" }],
  ["no site in particular", {}],
];
const TOKENS = ["createToken", "seeToken", "revokeToken"] as const;
//                  of the roles admin, siteAdmin, operator, voAdmin, auditor, user, sensor, follower,
//                  peer: in the VO, in another
const tokenMatrix: Readonly<Record<Role, readonly [string, string][]>> = {
  admin: [
    ["+++++++++", "+++++++++"],
    ["+++++++++", "+++++++++"],
    ["+++++++++", "+++++++++"],
  ],
  siteAdmin: [
    ["---------", "---------"],
    ["---------", "---------"],
    ["---------", "---------"],
  ],
  operator: [
    ["---------", "---------"],
    ["---------", "---------"],
    ["---------", "---------"],
  ],
  voAdmin: [
    ["---+-+---", "---------"],
    ["---+-+---", "---------"],
    ["---+-+---", "---------"],
  ],
  auditor: [
    ["---------", "---------"],
    ["+++++++++", "+++++++++"],
    ["---------", "---------"],
  ],
  user: [
    ["---------", "---------"],
    ["---------", "---------"],
    ["---------", "---------"],
  ],
  sensor: [
    ["---------", "---------"],
    ["---------", "---------"],
    ["---------", "---------"],
  ],
  follower: [
    ["---------", "---------"],
    ["---------", "---------"],
    ["---------", "---------"],
  ],
  peer: [
    ["---------", "---------"],
    ["---------", "---------"],
    ["---------", "---------"],
  ],
};
const RESERVATION_ACTS = ["seeReservation", "actOnReservation"] as const;
//                  the same subjects: for seeReservation and then for actOnReservation
const reservationMatrix: Readonly<Record<Role, readonly string[]>> = {
  admin: ["++++++", "++++++"],
  siteAdmin: ["+++-++", "+++-++"],
  operator: ["++++++", "++++++"],
  voAdmin: ["++--++", "++--++"],
  auditor: ["++++++", "------"],
  user: ["+---+-", "+---+-"],
  sensor: ["------", "------"],
  follower: ["------", "------"],
  peer: ["------", "------"],
};
const paths = ["cms/higgs/ann", "cms/higgs/ann/x", "cms/top", "cms2"];
//                  the account of: self, below self, same VO, other VO: at `here`, at `there`, at all sites
const accountMatrix: Readonly<Record<Role, readonly string[]>> = {
  admin: ["++++", "++++", "++++"],
  siteAdmin: ["++++", "----", "----"],
  operator: ["++++", "++++", "++++"],
  voAdmin: ["+++-", "+++-", "+++-"],
  auditor: ["++++", "++++", "++++"],
  user: ["++--", "++--", "++--"],
  sensor: ["----", "----", "----"],
  follower: ["----", "----", "----"],
  peer: ["----", "----", "----"],
};
//                  grant: at `here`, at `there`, at no site in particular
const grantMatrix: Readonly<Record<Role, string>> = {
  admin: "+++",
  siteAdmin: "+--",
  operator: "---",
  voAdmin: "---",
  auditor: "---",
  user: "---",
  sensor: "---",
  follower: "---",
  peer: "---",
};
//                  see: the own VO, another, a group of the own; change: the same
const VOS = ["cms", "cms2", "cms/top"] as const;
const voMatrix: Readonly<Record<Role, string>> = {
  admin: "++++++",
  siteAdmin: "------",
  operator: "+++---",
  voAdmin: "+-++-+",
  auditor: "+++---",
  user: "------",
  sensor: "------",
  follower: "------",
  peer: "------",
};
const ENFORCER_ACTS = ["pauseEnforcement", "undoEnforcement"] as const;
//                  at `here`, at `there`, at no site in particular: for both
const enforcerMatrix: Readonly<Record<Role, string>> = {
  admin: "+++",
  siteAdmin: "+--",
  operator: "+++",
  voAdmin: "---",
  auditor: "---",
  user: "---",
  sensor: "---",
  follower: "---",
  peer: "---",
};
//                  say what was seen on a host: at `here`, at `there`, at no site in particular
const reportMatrix: Readonly<Record<Role, string>> = {
  admin: "+++",
  siteAdmin: "+--",
  operator: "---",
  voAdmin: "---",
  auditor: "---",
  user: "---",
  sensor: "+--",
  follower: "---",
  peer: "---",
};
const logMatrix: Readonly<Record<Role, boolean>> = {
  admin: true,
  siteAdmin: false,
  operator: false,
  voAdmin: false,
  auditor: true,
  user: false,
  sensor: false,
  follower: false,
  peer: false,
};

function ofRole(role: Role, more: Partial<Identity> = {}): Identity {
  const consumer = role === "voAdmin" ? "cms" : "cms/higgs/ann";
  const site = isOfSite(role) ? { site: "here" } : {};
  return { owner: "cms/higgs/ann", consumer, role, ...site, ...more };
}

interface Row {
  readonly role: Role;
  readonly action: Action;
  readonly about: string;
  readonly subject: Subject;
  readonly isAllowed: boolean;
}

const rows: Row[] = ROLES.flatMap((role) => {
  const row = (action: Action, about: string, subject: Subject, mark: string | undefined): Row => ({
    role,
    action,
    about,
    subject,
    isAllowed: mark === "+",
  });
  return [
    ...ACTS.flatMap((action, a) =>
      JOBS.map((name, j) => row(action, name, jobs[name], jobMatrix[role][a]?.[j])),
    ),
    ...(["submit", "assess", "quote", "reserve"] as const).flatMap((action) =>
      // Whoever may submit may ask what would be, and reserve.
      paths.map((consumer, i) => row(action, consumer, { consumer }, submitMatrix[role][i])),
    ),
    ...RESERVATION_ACTS.flatMap((action, a) =>
      JOBS.map((name, j) => row(action, name, jobs[name], reservationMatrix[role][a]?.[j])),
    ),
    ...sites.flatMap(([at, site], s) =>
      paths.map((consumer, i) =>
        row("seeAccount", `${consumer} at ${at}`, { ...site, consumer }, accountMatrix[role][s]?.[i]),
      ),
    ),
    ...sites.flatMap(([at, site], s) =>
      // What somebody uses is seen by whoever sees what they have paid.
      paths.map((consumer, i) =>
        row("seeUsage", `${consumer} at ${at}`, { ...site, consumer }, accountMatrix[role][s]?.[i]),
      ),
    ),
    ...ENFORCER_ACTS.flatMap((action) =>
      sites.map(([at, site], s) => row(action, at, site, enforcerMatrix[role][s])),
    ),
    row("seePolicy", "the policies", {}, role === "sensor" || role === "peer" ? "-" : "+"),
    row("changePolicy", "the policies", {}, role === "admin" ? "+" : "-"),
    row("followPolicy", "the policies", {}, role === "admin" || role === "follower" ? "+" : "-"),
    row("exchange", "what was sent to clusters", {}, role === "admin" || role === "peer" ? "+" : "-"),
    ...VOS.flatMap((consumer, i) => [
      row("seeVo", consumer, { consumer }, voMatrix[role][i]),
      row("changeVo", consumer, { consumer }, voMatrix[role][VOS.length + i]),
    ]),
    ...sites.map(([at, site], s) => row("reportHost", at, site, reportMatrix[role][s])),
    ...sites.map(([at, site], s) => row("grant", at, { ...site, consumer: "cms/top" }, grantMatrix[role][s])),
    ...(["seeSite", "changeSite"] as const).flatMap((action, a) =>
      sites.map(([name, subject], s) => row(action, name, subject, siteMatrix[role][3 * a + s])),
    ),
    ...TOKENS.flatMap((action, a) =>
      ["cms/top/bob", "cms2/eve"].flatMap((consumer, c) =>
        ROLES.map((of, r) =>
          row(action, `${of} ${consumer}`, { consumer, role: of }, tokenMatrix[role][a]?.[c]?.[r]),
        ),
      ),
    ),
    row("seeLog", "the log", {}, logMatrix[role] ? "+" : "-"),
    row("stopBroker", "the broker", {}, role === "admin" ? "+" : "-"),
    row("archiveLog", "the log", {}, role === "admin" ? "+" : "-"),
    row("manageWebhooks", "the log", {}, role === "admin" ? "+" : "-"),
  ];
});

describe("the table of rights", () => {
  it.each(rows)("EN-14 $role $action $about: $isAllowed", ({ role, action, subject, isAllowed }) => {
    expect(mayDo(ofRole(role), action, subject)).toBe(isAllowed);
    if (isAllowed) expect(mayEver(ofRole(role), action)).toBe(true);
  });

  it("EN-14 has every role with every action", () => {
    const actions = new Set(rows.map(({ action }) => action));
    expect(actions.size).toBe(33);
    const ofPolicies = 3 * 4 + 2 * 3 + 3 + 1;
    const ofVos = 2 * 3;
    const others = 6 * 6 + 4 * 4 + 2 * 3 + 3 * 2 * ROLES.length + 1 + 2 * 6 + 3 * 4 + 3 + 3 + 3;
    expect(rows.length).toBe(ROLES.length * (others + ofPolicies + ofVos));
  });

  it("EN-14 unknown actions, roles and subjects are denied", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString")), (word) => {
        fc.pre(!rows.some(({ action }) => action === word) && !ROLES.some((role) => role === word));
        expect(mayDo(ofRole("admin"), word as Action, jobs.own)).toBe(false);
        expect(mayDo({ ...ofRole("admin"), role: word as Role }, "seeJob", jobs.own)).toBe(false);
      }),
    );
    for (const role of ["siteAdmin", "voAdmin", "user"] as const) {
      for (const action of ACTS) expect(mayDo(ofRole(role), action, {})).toBe(false);
    }
    const { site: _, ...siteless } = ofRole("siteAdmin");
    expect(mayDo(siteless, "seeJob", { owner: "a", consumer: "a" })).toBe(false);
    expect(jobsWithin(siteless, "seeJob")).toBeUndefined();
  });

  it("EN-14 a role that may act on a job or a reservation may see it", () => {
    for (const { role, action, subject, isAllowed } of rows) {
      const isAct = ACTS.some((act) => act === action);
      if (isAct && isAllowed) expect(mayDo(ofRole(role), "seeJob", subject)).toBe(true);
      const isOnReservation = action === "actOnReservation" && isAllowed;
      if (isOnReservation) expect(mayDo(ofRole(role), "seeReservation", subject)).toBe(true);
    }
  });
});

/** What each scope opens of what the role allows; what is not here needs all four. */
const opened: Readonly<Record<Scope, readonly Action[]>> = {
  "compute.read": [
    "assess",
    "quote",
    "seeJob",
    "seeSite",
    "seeLog",
    "seeReservation",
    "seeAccount",
    "seePolicy",
    "seeUsage",
    "seeVo",
  ],
  "compute.create": ["submit", "reserve"],
  "compute.modify": ["hold", "release", "suspend", "resume", "actOnReservation"],
  "compute.cancel": ["cancel"],
};

describe("scopes", () => {
  const someScopes = fc.subarray([...SCOPES]);

  it("EN-14 narrow rights and never extend them", () => {
    fc.assert(
      fc.property(fc.constantFrom(...rows), someScopes, ({ role, action, subject, isAllowed }, scopes) => {
        const isOpen = scopes.length === SCOPES.length || scopes.some((it) => opened[it].includes(action));
        expect(mayDo(ofRole(role, { scopes }), action, subject)).toBe(isAllowed && isOpen);
      }),
      draws(2000),
    );
  });
});

describe("the jobs and reservations that somebody may see", () => {
  const path = fc.array(fc.constantFrom("cms", "cms2", "a"), { minLength: 1, maxLength: 3 });
  const aPath = path.map((names) => names.join("/"));
  const aSite = fc.constantFrom("here", "there", null);

  it("EN-14 a list contains exactly what single requests would be allowed", () => {
    fc.assert(
      fc.property(
        fc.record({ role: fc.constantFrom(...ROLES), consumer: aPath, scopes: fc.subarray([...SCOPES]) }),
        fc.record({ consumer: aPath, owner: aPath, site: aSite }),
        fc.constantFrom(...ACTS, ...RESERVATION_ACTS),
        ({ role, consumer, scopes }, subject, action) => {
          const who = ofRole(role, { consumer, owner: consumer, scopes });
          const observation = jobsWithin(who, action);
          const isListed =
            observation !== undefined &&
            (observation.of === undefined ||
              observation.of.owner === subject.owner ||
              observation.of.consumer === subject.consumer) &&
            (observation.owner === undefined || observation.owner === subject.owner) &&
            (observation.site === undefined || observation.site === subject.site) &&
            (observation.consumer === undefined ||
              `${subject.consumer}/`.startsWith(`${observation.consumer}/`));
          expect(isListed).toBe(mayDo(who, action, subject));
        },
      ),
      draws(2000),
    );
  });
});
