/**
 * The report of a simulation as types of Python: what a type checker and an editor know of the dictionary
 * that clients/python reads. Made from the TypeScript types, so that neither can be forgotten.
 *
 * A TypedDict has its optional keys in a class of its own, since `NotRequired` is newer than Python 3.9.
 * What is one of several forms is a dictionary.
 */
import { join, resolve } from "node:path";
import ts from "typescript";

const root = resolve(import.meta.dirname, "../..");
/** The file that is written, from the repository's root. */
export const PYTHON_TYPES = "clients/python/stint_sim/report.py";
const ROOT_TYPE = "SimulationReport";

const HEAD = `"""Types of reports; written by \`npm run python-types\`."""

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
`;

/** The text of that file. */
export function pythonTypes(): string {
  const path = join(root, "src/model/simulation.ts");
  const program = ts.createProgram([path], {
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] },
    ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext },
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const module = source && checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find(({ name }) => name === ROOT_TYPE);
  if (symbol === undefined) throw new Error(`${path} has no ${ROOT_TYPE}`);
  const classes = new Map<string, string>();
  describeClass({ checker, classes }, ROOT_TYPE, checker.getDeclaredTypeOfSymbol(symbol));
  return `${HEAD}${[...classes.values()].join("")}`;
}

interface Writing {
  readonly checker: ts.TypeChecker;
  /** Finished classes by name; those that others mention come first. */
  readonly classes: Map<string, string>;
}

function describeClass(writing: Writing, name: string, type: ts.Type): string {
  if (writing.classes.has(name)) return name;
  const { checker } = writing;
  const keys = checker.getPropertiesOfType(type).map((symbol) => {
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    const given = checker.getTypeOfSymbol(symbol);
    const inside = isOptional ? checker.getNonNullableType(given) : given;
    const text = pythonType(writing, inside, `${name}${capital(symbol.name)}`);
    const said = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, " ");
    return { isOptional, line: `${said === "" ? "" : `    #: ${said}\n`}    ${symbol.name}: ${text}\n` };
  });
  const block = (head: string, wanted: typeof keys) =>
    `\n\nclass ${head}:\n${wanted.map(({ line }) => line).join("") || "    pass\n"}`;
  const optional = keys.filter(({ isOptional }) => isOptional);
  const always = keys.filter(({ isOptional }) => !isOptional);
  const text =
    optional.length === 0
      ? block(`${name}(TypedDict)`, always)
      : block(`_${name}Optional(TypedDict, total=False)`, optional) +
        block(`${name}(_${name}Optional)`, always);
  writing.classes.set(name, text);
  return name;
}

/** @param name of the class where the type is an object without a name */
function pythonType(writing: Writing, type: ts.Type, name: string): string {
  const { checker } = writing;
  if (type.flags & ts.TypeFlags.NumberLike) return "float";
  if (type.isStringLiteral()) return `Literal[${JSON.stringify(type.value)}]`;
  if (type.flags & ts.TypeFlags.StringLike) return "str";
  if (type.flags & ts.TypeFlags.BooleanLike) return "bool";
  if (type.isUnion()) return unionType(writing, type, name);
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return `List[${item === undefined ? "Any" : pythonType(writing, item, name)}]`;
  }
  if (checker.getPropertiesOfType(type).length === 0) return "Dict[str, Any]";
  const known = type.aliasSymbol ?? (type.isClassOrInterface() ? type.symbol : undefined);
  return describeClass(writing, known?.name ?? name, type);
}

function unionType(writing: Writing, type: ts.UnionType, name: string): string {
  const isNull = ({ flags }: ts.Type) => (flags & ts.TypeFlags.Null) !== 0;
  const parts = type.types.filter((it) => !isNull(it));
  const isObject = ({ flags }: ts.Type) => (flags & ts.TypeFlags.Object) !== 0;
  const words = parts.flatMap((it) => (it.isStringLiteral() ? [JSON.stringify(it.value)] : []));
  const others = parts.filter((it) => !it.isStringLiteral());
  const texts = others.filter((it) => !(isObject(it) && others.length > 1));
  const forms = [
    ...(words.length > 0 ? [`Literal[${words.sort().join(", ")}]`] : []),
    ...texts.map((it) => pythonType(writing, it, name)),
    ...(texts.length < others.length ? ["Dict[str, Any]"] : []),
  ];
  const distinct = [...new Set(forms)];
  const text = distinct.length === 1 ? (distinct[0] ?? "Any") : `Union[${distinct.join(", ")}]`;
  return parts.length < type.types.length ? `Optional[${text}]` : text;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
