/** Paths of the input sandbox: `file:` addresses are paths, relative ones begin at InputSandboxBaseURI. */
import type { TypedAttribute, TypedValue } from "./typed-value.ts";

/** The sandbox with plain paths; other addresses stay, and are refused with the files. */
export function localPath(value: TypedValue, base: TypedAttribute | undefined): TypedValue {
  if (value.kind !== "texts") return value;
  const before = base?.value.kind === "text" ? `${plainPath(base.value.text).replace(/\/+$/, "")}/` : "";
  const items = value.items.map(({ text, at }) => {
    const path = plainPath(text);
    return { text: /^(?:\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(path) ? path : `${before}${path}`, at };
  });
  return { ...value, items };
}

function plainPath(text: string): string {
  return text.replace(/^file:(?:\/\/(?=\/))?/i, "");
}
