/**
 * The claims of figures 2 to 13 and of Grid3, each beside a control that does without what it is about.
 */
import { type Control, controlled, type Finding, outcomeOf, outcomeOfAll, type Verdict } from "../verdict.ts";
import { mean, told } from "./draws.ts";
import type { FiveSites, FiveWay } from "./five-sites.ts";
import type { GridThree, GridWay } from "./grid-three.ts";
import type { TwoSites } from "./two-sites.ts";

/** Parts of a site. */
const NEAR = 0.1;
const GROUPS_NEAR = 0.03;
const NEARLY_ALL = 0.95;

/** Figures 2 to 9. */
export function twoSitesVerdicts(all: readonly TwoSites[]): readonly Verdict[] {
  const unheld = foundWay(all, "nobody");
  const figure = "Fig. 2–5";
  const verdicts = all
    .filter(({ form }) => form === "ours" || form === "literal")
    .flatMap((it): readonly Verdict[] => {
      const say = (claim: string, check: (of: TwoSites) => Finding): Verdict =>
        controlled({ figure, claim: `${claim}, ${it.form}` }, check(it), [
          { system: "nobody enforces", ...check(unheld) },
        ]);
      if (it.rule === "cap")
        return [say("under a cap only until the epoch share (20 % of the hour) is used up", capped)];
      return [
        say("each organisation is at its burst limit when alone (60 and 90 %)", alone),
        say("each is at its epoch share in contention (20 and 80 %)", together),
      ];
    });
  const claim =
    "groups with half of an organisation each have as much in contention, though one submits 3 : 1";
  const halves = controlled({ figure: "Fig. 6–9", claim }, groups(foundWay(all, "ours")), [
    { system: "nobody enforces", ...groups(unheld) },
    { system: "organisations alone are enforced", ...groups(foundWay(all, "organisations")) },
  ]);
  return [...verdicts, halves];
}

/** Figures 10 to 13. */
export function fiveSitesVerdicts(all: ReadonlyMap<FiveWay, FiveSites>): readonly Verdict[] {
  const [held, fixed, unheld, coarse] = (["policies", "fixed parts", "nobody", "organisations"] as const).map(
    (way) => inWay(all, way),
  );
  const kept = ({ used }: FiveSites): Finding => ({
    outcome: outcomeOf(mean(used) >= NEARLY_ALL * mean(unheld.used)),
    numbers: `${told(used)} % used, ${told(unheld.used)} % where nobody enforces; at least 0.95 of it`,
  });
  const share = ({ vo0Together }: FiveSites): Finding => ({
    outcome: outcomeOf(Math.abs(mean(vo0Together) - 0.2) <= NEAR / 2),
    numbers: `${told(vo0Together)} %; within 5 points`,
  });
  const nobody = (check: (of: FiveSites) => Finding): Control => {
    return { system: "nobody enforces", ...check(unheld) };
  };
  return [
    controlled(
      { figure: "Fig. 10–11", claim: "on five sites the overall utilisation is kept under policies" },
      kept(held),
      [{ system: "fixed parts, of which nothing is lent", ...kept(fixed) }],
    ),
    controlled(
      { figure: "Fig. 12", claim: "VO0 has its 20 % of five sites while two others want theirs" },
      share(held),
      [nobody(share)],
    ),
    controlled(
      { figure: "Fig. 13", claim: "VO0's groups have a half each on five sites, though one submits 3 : 1" },
      groups({ draws: held }),
      [
        nobody((it) => groups({ draws: it })),
        { system: "organisations alone are enforced", ...groups({ draws: coarse }) },
      ],
    ),
  ];
}

/** Slide 28. */
export function gridVerdicts(all: ReadonlyMap<GridWay, GridThree>): readonly Verdict[] {
  const [held, capped, unheld] = (["policies", "caps", "nobody"] as const).map((way) => inWay(all, way));
  const takes = ({ draws: { ofIdle } }: GridThree): Finding => ({
    outcome: outcomeOf(mean(ofIdle) >= 0.9),
    numbers: `${told(ofIdle)} % of what the big one leaves; 90 at least`,
  });
  const throttled = ({ draws: { whileBusy, afterReturn } }: GridThree): Finding => ({
    outcome: outcomeOf(mean(afterReturn) <= mean(whileBusy) + 0.1 && mean(afterReturn) <= 0.2),
    numbers: `${told(afterReturn)} % two hours after, ${told(whileBusy)} % before; 20 at most`,
  });
  const figure = "Slide 28";
  return [
    controlled({ figure, claim: "the small one takes what is idle" }, takes(held), [
      { system: "shares are caps", ...takes(capped) },
    ]),
    controlled({ figure, claim: "it is throttled back when the big one returns" }, throttled(held), [
      { system: "nobody enforces", ...throttled(unheld) },
    ]),
  ];
}

function alone({ draws: { vo0Alone, vo1Alone } }: TwoSites): Finding {
  return {
    outcome: outcomeOfAll([isNearly(vo0Alone, 0.6), isNearly(vo1Alone, 0.9)]),
    numbers: `${told(vo0Alone)} and ${told(vo1Alone)} %; within 10 points`,
  };
}

function together({ draws: { vo0Together, vo1Together } }: TwoSites): Finding {
  return {
    outcome: outcomeOfAll([isNearly(vo0Together, 0.2), isNearly(vo1Together, 0.8)]),
    numbers: `${told(vo0Together)} and ${told(vo1Together)} %; within 10 points`,
  };
}

function capped({ draws: { vo0Epoch, vo0Alone } }: TwoSites): Finding {
  return {
    outcome: outcomeOfAll([isNearly(vo0Alone, 0.6), Math.abs(mean(vo0Epoch) - 0.2) <= 0.02]),
    numbers: `${told(vo0Alone)} % before, ${told(vo0Epoch)} % of the hour; within 10 and 2 points`,
  };
}

function groups({
  draws: { group0, group1 },
}: {
  readonly draws: Pick<TwoSites["draws"], "group0" | "group1">;
}) {
  return {
    outcome: outcomeOf(Math.abs(mean(group0) - mean(group1)) <= GROUPS_NEAR),
    numbers: `${told(group0)} and ${told(group1)} % of the sites; within 3 points`,
  };
}

function isNearly(values: readonly number[], said: number): boolean {
  return Math.abs(mean(values) - said) <= NEAR;
}

/** Where groups count, under entitlements. */
function foundWay(all: readonly TwoSites[], wanted: TwoSites["form"]): TwoSites {
  const found = all.find(({ form, rule }) => form === wanted && rule === "entitlement");
  if (found === undefined) throw new Error(`what must hold: ${wanted} was played`);
  return found;
}

function inWay<Way, Value>(all: ReadonlyMap<Way, Value>, way: Way): Value {
  const found = all.get(way);
  if (found === undefined) throw new Error(`what must hold: ${way} was played`);
  return found;
}
