/**
 * The types of `stint/client` as one file that needs no other: dist/api/client/index.d.ts.
 *
 * The compiler's own declarations would be those of every module that the client's types come from, the
 * engine's among them, with types that TypeBox computes from schemas: nobody reads them, and an editor shows
 * none of their explanations. Here each type is written as it is after everything is computed, by the name
 * that the client exports it under, with the description of its schema. Properties are all `readonly`.
 * Plain JavaScript, since `npm install` runs it (prepare).
 */
import { join } from "node:path";
import ts from "typescript";

/** Types of the standard library in a form that every version of the compiler has. */
const ARGUMENTS_KEPT = new Map([
  ["AbortSignal", 0],
  ["Uint8Array", 0],
  ["AsyncIterable", 1],
  ["Promise", 1],
]);

/**
 * The text of the declarations.
 *
 * @param {string} root of the project
 * @param {string} file below src/ whose exports they are
 */
export function declarationsOf(root, file) {
  const path = join(root, "src", file);
  const { config } = ts.readConfigFile(join(root, "tsconfig.build.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([path], { ...options, noEmit: true });
  const source = program.getSourceFile(path);
  const module = source && program.getTypeChecker().getSymbolAtLocation(source);
  if (source === undefined || module === undefined) throw new Error(`${path} is not a module`);
  return new Declarations(program.getTypeChecker(), source, module).text();
}

/** What a branded type is besides its brand. */
const SIMPLE = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike;

/** What is written: the exports, and below them what these mention. */
class Declarations {
  /** @type {Map<ts.Type, string>} */
  names = new Map();
  /** Named types that are mentioned and not exported, each written once. @type {[string, ts.Type][]} */
  mentioned = [];
  /** Types without a name that are being written: one that contains itself could not be. @type {ts.Type[]} */
  open = [];

  /** @param {ts.TypeChecker} checker @param {ts.SourceFile} source @param {ts.Symbol} module */
  constructor(checker, source, module) {
    this.checker = checker;
    this.values = valuesOf(source);
    this.exports = checker.getExportsOfModule(module).map((symbol) => this.original(symbol));
  }

  text() {
    const types = this.exports.filter((it) => isType(it) && !this.values.has(it.name));
    const values = this.exports.filter((it) => this.values.has(it.name));
    for (const symbol of types) {
      const type = this.checker.getDeclaredTypeOfSymbol(symbol);
      if (!isGeneric(symbol) && isNameable(type)) this.names.set(type, symbol.name);
    }
    const exported = [
      ...values.map((it) => this.value(it)),
      ...types.filter((it) => !isGeneric(it)).map((it) => this.type(it)),
    ];
    const further = [];
    for (let next = this.mentioned.shift(); next !== undefined; next = this.mentioned.shift()) {
      further.push(`type ${next[0]} = ${this.whole(next[1])};\n`);
    }
    const head = "// Written by the build from the sources of the client and the schemas of the API.\n\n";
    return `${head}${[...exported, ...further].join("\n")}\nexport {};\n`;
  }

  /** What an export stands for, under the name that it has where it is declared. @param {ts.Symbol} symbol */
  original(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  /** @param {ts.Symbol} symbol */
  type(symbol) {
    const type = this.checker.getDeclaredTypeOfSymbol(symbol);
    const named = this.names.get(type);
    const text = named !== undefined && named !== symbol.name ? named : this.whole(type);
    return `${this.doc(symbol, "")}export type ${symbol.name} = ${text};\n`;
  }

  /** A function or a class. @param {ts.Symbol} symbol */
  value(symbol) {
    const type = this.checker.getTypeOfSymbol(symbol);
    const [signature] = type.getCallSignatures();
    const doc = this.doc(symbol, "");
    if (signature)
      return `${doc}export declare function ${symbol.name}${this.signature(signature, "", ": ")};\n`;
    const instance = this.checker.getDeclaredTypeOfSymbol(symbol);
    const [made] = type.getConstructSignatures();
    const [base] = this.checker.getBaseTypes(/** @type {ts.InterfaceType} */ (instance));
    const own = instance
      .getProperties()
      .filter((it) => it.declarations?.[0]?.parent === symbol.valueDeclaration);
    const members = own.map((it) => `${this.member(it, "  ")}\n`).join("");
    const parameters = made ? `  constructor(${this.parameters(made, "  ")});\n` : "";
    const above = base ? ` extends ${base.symbol.name}` : "";
    return `${doc}export declare class ${symbol.name}${above} {\n${parameters}${members}}\n`;
  }

  /**
   * A type that is mentioned: by its name where it has one.
   *
   * @param {ts.Type} type
   * @param {string} indent
   * @returns {string}
   */
  print(type, indent) {
    const name = this.names.get(type);
    if (name !== undefined) return name;
    const mentioned = nameToMention(type);
    if (mentioned === undefined) return this.whole(type, indent);
    const taken = new Set(this.names.values());
    let free = mentioned;
    for (let n = 2; taken.has(free); n++) free = `${mentioned}${n}`;
    this.names.set(type, free);
    this.mentioned.push([free, type]);
    return free;
  }

  /** @param {ts.Type} type @param {string} [indent] @returns {string} */
  whole(type, indent = "") {
    if (this.open.includes(type)) {
      throw new Error(`${this.checker.typeToString(type)} contains itself: export it under a name`);
    }
    this.open.push(type);
    const text = this.parts(type, indent);
    this.open.pop();
    return text;
  }

  /** @param {ts.Type} type @param {string} indent @returns {string} */
  parts(type, indent) {
    const { checker } = this;
    if (type.isUnion()) return this.union(type, indent);
    if (type.isIntersection()) {
      const simple = type.types.find((it) => it.flags & SIMPLE);
      return simple ? this.print(simple, indent) : this.object(type, indent);
    }
    if (type.flags & ts.TypeFlags.IndexedAccess) {
      const { objectType, indexType } = /** @type {ts.IndexedAccessType} */ (type);
      return `${this.print(objectType, indent)}[${this.print(indexType, indent)}]`;
    }
    if (!(type.flags & ts.TypeFlags.Object)) return checker.typeToString(type);
    if (checker.isTupleType(type)) return this.tuple(/** @type {ts.TupleTypeReference} */ (type), indent);
    const [item] = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
    if (checker.isArrayType(type) && item) {
      const text = this.print(item, indent);
      return `readonly ${/^[\w.]+$/.test(text) ? text : `(${text})`}[]`;
    }
    if (isOfLibrary(type)) return this.ofLibrary(/** @type {ts.TypeReference} */ (type), indent);
    const [call] = type.getCallSignatures();
    return call ? this.signature(call, indent, " => ") : this.object(type, indent);
  }

  /** @param {ts.TypeReference} type @param {string} indent */
  ofLibrary(type, indent) {
    const { name } = type.symbol;
    const kept = ARGUMENTS_KEPT.get(name);
    if (kept === undefined) throw new Error(`${name} of the standard library is not among those known here`);
    const given = this.checker.getTypeArguments(type).slice(0, kept);
    return kept === 0 ? name : `${name}<${given.map((it) => this.print(it, indent)).join(", ")}>`;
  }

  /** @param {ts.UnionType} type @param {string} indent */
  union(type, indent) {
    const isTruth = (/** @type {ts.Type} */ it) => (it.flags & ts.TypeFlags.BooleanLiteral) !== 0;
    const both = type.types.filter(isTruth).length === 2;
    const parts = type.types.filter((it) => !(both && isTruth(it))).map((it) => this.print(it, indent));
    const isFunction = (/** @type {string} */ text) => text.includes("=>");
    const texts = [...(both ? ["boolean"] : []), ...parts.map((it) => (isFunction(it) ? `(${it})` : it))];
    return texts.sort((one, other) => Number(one === "null") - Number(other === "null")).join(" | ");
  }

  /** @param {ts.TupleTypeReference} type @param {string} indent */
  tuple(type, indent) {
    const { elementFlags, labeledElementDeclarations } = type.target;
    const parts = this.checker.getTypeArguments(type).map((it, index) => {
      const label = labeledElementDeclarations?.[index]?.name.getText();
      const isOptional = ((elementFlags[index] ?? 0) & ts.ElementFlags.Optional) !== 0;
      const text = this.given(it, isOptional, indent);
      return label === undefined ? text : `${label}${isOptional ? "?" : ""}: ${text}`;
    });
    return `readonly [${parts.join(", ")}]`;
  }

  /** @param {ts.Type} type @param {string} indent */
  object(type, indent) {
    const deeper = `${indent}  `;
    const indexes = this.checker
      .getIndexInfosOfType(type)
      .map(
        ({ keyType, type: of }) =>
          `${deeper}readonly [name: ${this.print(keyType, deeper)}]: ${this.print(of, deeper)};`,
      );
    const members = this.checker.getPropertiesOfType(type).map((it) => this.member(it, deeper));
    if (members.length + indexes.length === 0) return "{}";
    return `{\n${[...indexes, ...members].join("\n")}\n${indent}}`;
  }

  /** @param {ts.Symbol} symbol @param {string} indent */
  member(symbol, indent) {
    const optional = symbol.flags & ts.SymbolFlags.Optional ? "?" : "";
    const name = /^[A-Za-z_]\w*$/.test(symbol.name) ? symbol.name : JSON.stringify(symbol.name);
    const type = this.checker.getTypeOfSymbol(symbol);
    const [call] = type.getCallSignatures();
    const text =
      call && !this.names.has(type)
        ? `${name}${optional}${this.signature(call, indent, ": ")}`
        : `readonly ${name}${optional}: ${this.given(type, optional !== "", indent)}`;
    return `${this.doc(symbol, indent)}${indent}${text};`;
  }

  /**
   * Without `undefined` where a question mark says it.
   *
   * @param {ts.Type} type
   * @param {boolean} isOptional
   * @param {string} indent
   */
  given(type, isOptional, indent) {
    if (!isOptional) return this.print(type, indent);
    const known = this.names.has(type) ? type : this.checker.getNonNullableType(type);
    const hasNull = type.isUnion() && type.types.some((it) => it.flags & ts.TypeFlags.Null);
    return `${this.print(known, indent)}${hasNull && known !== type ? " | null" : ""}`;
  }

  /** @param {ts.Signature} signature @param {string} indent @param {string} arrow */
  signature(signature, indent, arrow) {
    const of = (signature.getTypeParameters() ?? []).map((it) => {
      const bound = it.getConstraint();
      return `${it.symbol.name}${bound ? ` extends ${this.print(bound, indent)}` : ""}`;
    });
    const answer = this.print(signature.getReturnType(), indent);
    const generic = of.length > 0 ? `<${of.join(", ")}>` : "";
    return `${generic}(${this.parameters(signature, indent)})${arrow}${answer}`;
  }

  /** @param {ts.Signature} signature @param {string} indent */
  parameters(signature, indent) {
    return signature
      .getParameters()
      .map((it) => {
        const declared = /** @type {ts.ParameterDeclaration} */ (it.valueDeclaration);
        const isOptional = this.checker.isOptionalParameter(declared);
        const isRest = declared.dotDotDotToken !== undefined;
        // One that is taken apart has no name.
        const name = ts.isIdentifier(declared.name) ? declared.name.text : "options";
        const type = this.given(this.checker.getTypeOfSymbol(it), isOptional, indent);
        return `${isRest ? "..." : ""}${name}${isOptional ? "?" : ""}: ${type}`;
      })
      .join(", ");
  }

  /**
   * What a declaration, or the schema that it comes from, says.
   *
   * @param {ts.Symbol} symbol
   * @param {string} indent
   */
  doc(symbol, indent) {
    const written = ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).trim();
    const text = written || described(symbol.declarations?.[0]) || "";
    const lines = text.replaceAll("*/", "*\\/").split("\n");
    if (text === "") return "";
    if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
    return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
  }
}

/** Names that a module exports by themselves as values. @param {ts.SourceFile} source */
function valuesOf(source) {
  const lists = source.statements.flatMap((it) =>
    ts.isExportDeclaration(it) && !it.isTypeOnly && it.exportClause && ts.isNamedExports(it.exportClause)
      ? [...it.exportClause.elements]
      : [],
  );
  return new Set(lists.filter((it) => !it.isTypeOnly).map((it) => it.name.text));
}

/** @param {ts.Symbol} symbol */
function isType({ flags }) {
  return (flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface)) !== 0;
}

/** @param {ts.Symbol} symbol */
function isGeneric({ declarations = [] }) {
  return declarations.some((it) => "typeParameters" in it && it.typeParameters !== undefined);
}

/** A string is a string wherever it stands. @param {ts.Type} type */
function isNameable(type) {
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Union | ts.TypeFlags.Intersection)) !== 0;
}

/**
 * The name of a type that is declared in the sources, has no parameters, and is not exported.
 *
 * @param {ts.Type} type
 */
function nameToMention(type) {
  const symbol = type.aliasSymbol ?? (type.isClassOrInterface() ? type.symbol : undefined);
  if (symbol === undefined || isOfLibrary(type) || isGeneric(symbol)) return undefined;
  return isNameable(type) ? symbol.name : undefined;
}

/** @param {ts.Type} type */
function isOfLibrary({ symbol }) {
  const declared = symbol?.declarations?.[0]?.getSourceFile().fileName ?? "";
  return (
    ts.SymbolFlags.TypeLiteral !== symbol?.flags &&
    /\/node_modules\/(typescript\/lib|@types\/node)\//.test(declared)
  );
}

/**
 * The description in the schema from which a property comes.
 *
 * @param {ts.Declaration | undefined} declared
 * @returns {string | undefined}
 */
function described(declared) {
  if (!declared || !ts.isPropertyAssignment(declared)) return undefined;
  const calls = [declared.initializer];
  for (let next = calls.shift(); next !== undefined; next = calls.shift()) {
    if (!ts.isCallExpression(next)) continue;
    for (const given of next.arguments) {
      const found =
        ts.isObjectLiteralExpression(given) &&
        given.properties.find((it) => it.name?.getText() === "description" && ts.isPropertyAssignment(it));
      if (found && ts.isPropertyAssignment(found) && ts.isStringLiteralLike(found.initializer)) {
        return found.initializer.text;
      }
      // Type.Optional(Type.Integer({ … })) and orNull(Type.String({ … })) describe what is inside.
      if (ts.isCallExpression(given)) calls.push(given);
    }
  }
  return undefined;
}
