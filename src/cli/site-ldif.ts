/**
 * Ads of a site as LDIF (RFC 2849) in the classes of GLUE 1.3: the computing element with its VOViews, the
 * hosts of its subcluster, and its stores. Attributes that are unknown, or not of GLUE, are left out.
 */
import { type ClassAd, evaluateAttribute, type PlainValue, parseAd, plainOf } from "../classad/index.ts";

/** Maximum length of a line; the rest of a longer one continues on the next line, after a blank. */
const LINE_CHARACTERS = 76;

type Line = readonly [string, PlainValue];
type Values = ReadonlyMap<string, PlainValue>;

/** The entries of the ads of a site and of its queues. Stores that several ads have are entered once. */
export function ldifText(classads: readonly string[], site: string): string {
  const entries = new Map<string, string>();
  for (const one of classads.flatMap((classad) => entriesOf(classad, site))) {
    const [dn] = one.split("\nobjectClass");
    if (!entries.has(dn)) entries.set(dn, one);
  }
  return [...entries.values()].join("\n");
}

/** The entries of an ad. */
function entriesOf(classad: string, site: string): readonly string[] {
  const { values, stores, views } = valuesIn(classad);
  const element = String(values.get("GlueCEUniqueID") ?? site);
  const base = `Mds-Vo-name=${dnValue(site)},o=grid`;
  return [
    entry(`GlueCEUniqueID=${dnValue(element)},${base}`, "GlueCE", picked(values, /^GlueCE(?!SEBind)/)),
    ...views.map((view) => {
      const name = dnValue(String(view.get("GlueVOViewLocalID") ?? ""));
      return entry(`GlueVOViewLocalID=${name},GlueCEUniqueID=${dnValue(element)},${base}`, "GlueVOView", [
        ...view,
      ]);
    }),
    entry(`GlueSubClusterUniqueID=${dnValue(element)},${base}`, "GlueSubCluster", [
      ["GlueSubClusterUniqueID", element],
      ...picked(values, /^Glue(Host|SubCluster)/),
    ]),
    entry(`GlueCESEBindGroupCEUniqueID=${dnValue(element)},${base}`, "GlueCESEBindGroup", [
      ["GlueCESEBindGroupCEUniqueID", element],
      ...picked(values, /^GlueCESEBind/),
    ]),
    ...stores.map((store) => {
      const name = dnValue(String(store.get("GlueSEUniqueID") ?? ""));
      return entry(`GlueSEUniqueID=${name},${base}`, "GlueSE", [...store]);
    }),
  ];
}

interface Found {
  readonly values: Values;
  readonly stores: readonly Values[];
  readonly views: readonly Values[];
}

/** Attributes of an ad with their values, and those of its stores and VOViews. */
function valuesIn(classad: string): Found {
  const read = parseAd(classad);
  if (!read.ok) return { values: new Map(), stores: [], views: [] };
  const self = read.value;
  return { values: valuesOf(self), stores: adsIn(self, "Stores"), views: adsIn(self, "VOViews") };
}

function valuesOf(self: ClassAd): Values {
  const names = self.node.attributes.map(({ name }) => name);
  return new Map(names.map((name) => [name, plainOf(evaluateAttribute(name, { self, nowMs: 0 }))]));
}

/** The ads in a list of an ad. */
function adsIn(self: ClassAd, name: string): readonly Values[] {
  const found = evaluateAttribute(name, { self, nowMs: 0 });
  const items = found.kind === "list" ? found.items : [];
  return items.map((item) => (item.kind === "ad" ? valuesOf(item.scope.ad) : new Map()));
}

function picked(values: Values, names: RegExp): readonly Line[] {
  return [...values].filter(([name]) => names.test(name));
}

function entry(dn: string, objectClass: string, lines: readonly Line[]): string {
  const all: readonly Line[] = [
    ...([["dn", dn], ["objectClass", objectClass], ...lines] as const),
    ...([
      ["GlueSchemaVersionMajor", 1],
      ["GlueSchemaVersionMinor", 3],
    ] as const),
  ];
  return all
    .map(([name, value]) =>
      [value]
        .flat()
        .map((one) => lineOf(name, one))
        .join(""),
    )
    .join("");
}

function lineOf(name: string, value: PlainValue): string {
  if (value === null || value === undefined || typeof value === "object") return "";
  const text = typeof value === "boolean" ? String(value).toUpperCase() : String(value);
  const line = isSafe(text) ? `${name}: ${text}` : `${name}:: ${Buffer.from(text).toString("base64")}`;
  const parts = [line.slice(0, LINE_CHARACTERS)];
  for (let at = LINE_CHARACTERS; at < line.length; at += LINE_CHARACTERS - 1) {
    parts.push(` ${line.slice(at, at + LINE_CHARACTERS - 1)}`);
  }
  return `${parts.join("\n")}\n`;
}

/** True for a SAFE-STRING of RFC 2849 that does not end in a blank. */
function isSafe(text: string): boolean {
  return /^(?![ :<])[ -~]*$/.test(text) && !text.endsWith(" ");
}

/** A value in a distinguished name, by RFC 4514. */
function dnValue(text: string): string {
  const escaped = text.replaceAll(/[",+;<>\\=]/g, "\\$&").replaceAll("\0", "\\00");
  return escaped.replace(/^[ #]/, "\\$&").replace(/ $/, "\\ ");
}
