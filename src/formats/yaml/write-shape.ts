/**
 * A value as a file writes it by its shape: the inverse of reading, in plain data.
 */
import { formatDuration, formatRate, formatSize } from "../../base/index.ts";
import type { AnyShape, ShapeOf } from "../../contract/files/index.ts";
import { NOTATIONS } from "./notations.ts";

const QUANTITY_TEXTS = { size: formatSize, rate: formatRate, duration: formatDuration } as const;

/** The value as it is written; what is not as the shape reads it stays as it is. */
export function writtenAs(shape: AnyShape, value: unknown): unknown {
  switch (shape.kind) {
    case "number":
      return typeof value === "number" ? value / (shape.perOne ?? 1) : value;
    case "quantity":
      return typeof value === "number" ? QUANTITY_TEXTS[shape.unit](value) : value;
    case "notation":
      return writtenNotation(shape, value);
    case "none":
      return value === null ? shape.word : writtenAs(shape.or, value);
    case "list":
      return Array.isArray(value) ? value.map((item: unknown) => writtenAs(shape.item, item)) : value;
    case "names":
      return Object.fromEntries(
        Object.entries(value ?? {}).map(([name, inner]) => [name, writtenAs(shape.value, inner)]),
      );
    case "mapping":
      return writtenMapping(shape, value);
    default:
      return value;
  }
}

function writtenNotation({ notation }: ShapeOf<"notation">, value: unknown): unknown {
  if (notation === "target" || notation === "date") return value;
  return typeof value === "number" ? NOTATIONS[notation].write(value) : value;
}

/** Every word of which something is known, in the order of the shape. */
function writtenMapping({ fields, isBrief = false }: ShapeOf<"mapping">, value: unknown): object {
  const known = new Map<string, unknown>(Object.entries(value ?? {}));
  return Object.fromEntries(
    Object.entries(fields).flatMap(([word, field]) => {
      const said = known.get(field.as ?? word);
      const isNothing = said === undefined || (said === null && field.kind !== "none");
      const isLeftOut = isNothing || (isBrief && said === field.usual);
      return isLeftOut ? [] : [[word, writtenAs(field, said)] as const];
    }),
  );
}

/** Written values by path, `losses.failed`: each word of nested mappings separately. */
export function flatPaths(shape: AnyShape, written: unknown): readonly (readonly [string, unknown])[] {
  if (shape.kind !== "mapping") return [];
  return Object.entries(written ?? {}).flatMap(([word, value]): (readonly [string, unknown])[] => {
    const field = shape.fields[word];
    if (field?.kind !== "mapping") return [[word, value]];
    return flatPaths(field, value).map(([path, inner]) => [`${word}.${path}`, inner]);
  });
}
