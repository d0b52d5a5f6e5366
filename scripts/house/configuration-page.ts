/** docs/reference/configuration.md: every key of stint.yaml, from its schema. */
import type { Schema } from "./file-schemas.ts";

type Properties = Readonly<Record<string, Schema>>;

/** A row of a table. */
interface Row {
  readonly key: string;
  readonly at?: string;
  readonly value: string;
  readonly initial: string;
  readonly meaning: string;
}

/** What definitions of values are called; the others are objects with a section of their own. */
const VALUES: Readonly<Record<string, string>> = {
  ...{ duration: "duration", durationAboveZero: "duration", sizeAboveZero: "size", rateAboveZero: "rate" },
  ...{ name: "name", consumerPath: "consumer path" },
};
const SITE_TYPES = ["managed", "simulated", "slurm"] as const;

const HEAD = [
  "# Configuration: stint.yaml",
  "Every key of `stint.yaml`, from its [schema](../schemas/stint.schema.json); all are optional unless " +
    "marked *required*. `stint config show` prints the settings in effect and the origin of each. " +
    "[Running jobs](../guides/run-jobs.md#configuration) has an example, and " +
    "[Operating a broker](../guides/operating.md) shows what to set for a service.",
  "A *duration* is `1h30m`, `90d`, `01:30:00`, `PT1H30M` or a number of seconds; a *size* `512M`, `4G` " +
    "(1024-based), `1.5GB` (1000-based) or a number of bytes; a *rate* `1Gbit/s` or `100MB/s`; a *consumer " +
    "path* `organisation/group/user`.\n",
].join("\n\n");

/** The page, from the schema of stint.yaml. */
export function configurationPage(schema: Schema): string {
  const definitions = schema.$defs as Properties;
  const { server } = schema.properties as Properties;
  const parts = Object.keys(definitions).filter(
    (name) => !(name in VALUES) && !SITE_TYPES.some((type) => type === name),
  );
  return [
    HEAD,
    section("server", rowsOf(server ?? {}, "")),
    section("sites", siteRows(definitions), "A list of sites. Column *at* names the types that have a key."),
    ...parts.map((name) => section(name, rowsOf(definitions[name] ?? {}, ""))),
  ].join("\n");
}

function section(title: string, rows: readonly Row[], note = ""): string {
  const hasTypes = rows.some(({ at }) => at !== undefined);
  const cells = rows.map(({ key, at, value, initial, meaning }) =>
    [`\`${key}\``, ...(hasTypes ? [at ?? ""] : []), value, initial, meaning].map(escaped),
  );
  const head = ["key", ...(hasTypes ? ["at"] : []), "value", "default", "meaning"];
  const lines = [head, head.map(() => "---"), ...cells].map((cell) => `| ${cell.join(" | ")} |`);
  return `## ${title}\n\n${note === "" ? "" : `${note}\n\n`}${lines.join("\n")}\n`;
}

const escaped = (cell: string): string => cell.replaceAll("|", "\\|");

/** Keys of sites: one row for a key that is the same at all types that have it. */
function siteRows(definitions: Properties): readonly Row[] {
  const found = new Map<string, { readonly row: Row; readonly types: string[] }>();
  for (const type of SITE_TYPES) {
    for (const row of rowsOf(definitions[type] ?? {}, "")) {
      const id = JSON.stringify(row);
      const same = found.get(id) ?? { row, types: [] };
      same.types.push(type);
      found.set(id, same);
    }
  }
  return [...found.values()].map(({ row, types }) => ({
    ...row,
    at: types.length === SITE_TYPES.length ? "all" : types.join(", "),
  }));
}

/** Keys of an object, those of objects within it with their path; of a mapping, those of each entry. */
function rowsOf(object: Schema, path: string): readonly Row[] {
  const entry = object.additionalProperties;
  if (object.properties === undefined && isSchema(entry)) {
    const inner = rowsOf(entry, `${path}NAME.`);
    return inner.length > 0 || path !== "" ? inner : [plainEntry(entry)];
  }
  const required = new Set(object.required as readonly string[] | undefined);
  return Object.entries((object.properties ?? {}) as Properties).flatMap(([name, schema]) => {
    const inner = rowsOf(schema, `${path}${name}.`);
    const row = {
      ...{ key: `${path}${name}`, value: valueText(schema) },
      initial:
        schema.default === undefined ? "" : `\`${JSON.stringify(schema.default).replaceAll('"', "")}\``,
      meaning: `${required.has(name) ? "*required* " : ""}${String(schema.description ?? "")}`,
    };
    return [row, ...inner];
  });
}

/** The row of a mapping from names to plain values. */
function plainEntry(entry: Schema): Row {
  return { key: "NAME", value: valueText(entry), initial: "", meaning: String(entry.description ?? "") };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null;
}

/** How a value is written. */
function valueText(schema: Schema): string {
  const { $ref, enum: words, type, anyOf, items, properties, additionalProperties } = schema;
  if (typeof $ref === "string") return definitionText($ref.replace("#/$defs/", ""));
  if (Array.isArray(words)) return words.map((word) => `\`${String(word)}\``).join(", ");
  if (Array.isArray(anyOf)) return [...new Set(anyOf.filter(isSchema).map(valueText))].join(" or ");
  if (type === "array") return isSchema(items) ? `list of ${valueText(items)}` : "list";
  if (properties !== undefined) return "mapping";
  if (isSchema(additionalProperties)) return "mapping of names";
  if ("const" in schema) return `\`${String(schema.const)}\``;
  return Array.isArray(type) ? "text" : String(type ?? "any").replace("string", "text");
}

function definitionText(name: string): string {
  return VALUES[name] ?? `[${name}](#${name.toLowerCase()})`;
}
