/**
 * How links are divided among those who transfer, byte by byte (rules PO-53 to PO-56).
 *
 * Each byte a second goes down from the place: at each level to the part that is least served of those that
 * may have one more. A dedicated level keeps what nobody of it takes, up to its entitlement.
 */
import type { Policy } from "../../src/model/index.ts";
import { entitlements, type ShareNode, type ShareTree, WHOLE_SHARE } from "../../src/policy/index.ts";

interface PlainPart {
  readonly key: string;
  /** Its entitlement in parts of the whole. */
  readonly entitled: number;
  readonly most: number;
  readonly isTransferring: boolean;
  readonly below: readonly PlainPart[];
  readonly isDedicated: boolean;
  rate: number;
}

/** The rates of those who transfer, by level; `""` for those whom no policy names. */
export function plainRates(
  tree: ShareTree,
  capacity: number,
  transferring: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const nodes = tree.nodes.get("network") ?? new Map<string, ShareNode>();
  const claims = (path: string): boolean =>
    [...transferring].some((key) => key === path || key.startsWith(`${path}/`)) ||
    [...nodes.values()].some(
      (node) => node.policy?.mode === "dedicated" && (node.path === path || node.path.startsWith(`${path}/`)),
    );
  const entitled = entitlements(tree, "network", claims);
  const named = [...nodes.values()].filter((node) => node.policy !== null);
  const aboveOf = (path: string): string => {
    const above = named.filter((node) => path.startsWith(`${node.path}/`)).map((node) => node.path);
    return above.sort((one, other) => other.length - one.length)[0] ?? "";
  };
  const partAt = (path: string, policy: Policy | null): PlainPart => {
    const children = named.filter((node) => node.path !== "" && aboveOf(node.path) === path);
    const all = path === "" ? WHOLE_SHARE : (entitled.get(path) ?? 0);
    const nominal = nodes.get(path)?.epochShare ?? WHOLE_SHARE;
    const given = children.reduce((sum, node) => sum + node.epochShare, 0);
    const taken = children.reduce((sum, node) => sum + (entitled.get(node.path) ?? 0), 0);
    const free = nominal === 0 ? 0 : (Math.max(0, nominal - given) * all) / nominal;
    const own: PlainPart = {
      key: path,
      entitled: Math.max(0, Math.min(free, all - taken)),
      most: Number.POSITIVE_INFINITY,
      isTransferring: transferring.has(path),
      below: [],
      isDedicated: false,
      rate: 0,
    };
    const node = nodes.get(path);
    const share = node === undefined ? WHOLE_SHARE : node.burstShare;
    const capped = policy?.rule === "cap" ? Math.min(share, node?.epochShare ?? share) : share;
    return {
      key: path,
      entitled: all,
      most: Math.floor((capped * capacity) / WHOLE_SHARE),
      isTransferring: false,
      below: [own, ...children.map((child) => partAt(child.path, child.policy))],
      isDedicated: policy?.mode === "dedicated",
      rate: 0,
    };
  };
  const place = partAt("", null);
  for (let byte = 0; byte < capacity; byte++) if (!giveOne(place, capacity)) break;
  const rates = new Map<string, number>();
  const tell = (part: PlainPart): void => {
    if (part.isTransferring) rates.set(part.key, part.rate);
    for (const below of part.below) tell(below);
  };
  tell(place);
  return rates;
}

function giveOne(part: PlainPart, capacity: number): boolean {
  if (part.rate >= part.most) return false;
  const served = (it: PlainPart): number =>
    it.entitled === 0 ? Number.POSITIVE_INFINITY : it.rate / it.entitled;
  const inTurn = [...part.below].sort((a, b) =>
    served(a) === served(b) ? a.rate - b.rate : served(a) - served(b),
  );
  const isTaken =
    part.below.length === 0 ? part.isTransferring : inTurn.some((below) => giveOne(below, capacity));
  const isKept = part.isDedicated && part.rate < Math.floor((part.entitled * capacity) / WHOLE_SHARE);
  if (!isTaken && !isKept) return false;
  part.rate++;
  return true;
}
