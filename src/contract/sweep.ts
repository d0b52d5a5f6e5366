/** Sweeps and searches of a description: parameters in which the jobs of an array differ. */
import { Type } from "typebox";
import { MOST_EVALUATIONS, MOST_MEMBERS, MOST_POINTS_TEXT, SCOUT_MODES } from "../model/index.ts";
import { strict, text, word } from "./fields.ts";

const parameterName = Type.String({ pattern: "^[A-Za-z][A-Za-z0-9_]{0,63}$" });
const finite = Type.Number({ minimum: -1e15, maximum: 1e15 });

const seed = Type.Integer({ minimum: 0, maximum: 2 ** 31, description: "Seed of the random numbers" });
const objectiveFile = Type.Optional(
  Type.String({ ...word, minLength: 1, description: "A file of the job; its output where absent" }),
);

/** Method by which a search chooses points. */
const searchSchema = Type.Object(
  {
    objective: Type.Union([
      Type.Object(
        {
          kind: Type.Literal("pattern"),
          pattern: Type.String({
            ...{ minLength: 1, maxLength: 1000 },
            description: "Regular expression: the first group of its last match in a line is the value",
          }),
          file: objectiveFile,
        },
        strict,
      ),
      Type.Object(
        {
          kind: Type.Literal("json"),
          path: Type.String({ minLength: 1, maxLength: 1000, description: "A field: `result.loss`" }),
          file: objectiveFile,
        },
        strict,
      ),
      Type.Object({ kind: Type.Literal("exitCode") }, strict),
    ]),
    goal: Type.Enum(["minimize", "maximize"]),
    method: Type.Union([
      Type.Object(
        {
          ...{ kind: Type.Literal("annealing"), seed },
          t0: Type.Optional(
            Type.Number({ exclusiveMinimum: 0, maximum: 1e300, description: "Initial temperature" }),
          ),
          cooling: Type.Optional(
            Type.Number({
              minimum: 1e-6,
              maximum: 1,
              description: "Factor by which the temperature changes from point to point",
            }),
          ),
          restarts: Type.Integer({ minimum: 0, maximum: MOST_EVALUATIONS }),
        },
        strict,
      ),
      Type.Object({ kind: Type.Literal("random"), seed }, strict),
      Type.Object(
        {
          kind: Type.Literal("exec"),
          command: Type.Array(Type.String({ ...word, maxLength: 4096 }), {
            ...{ minItems: 1, maxItems: 100 },
            description: "A program at the broker, by its absolute path, and its arguments",
          }),
        },
        strict,
      ),
    ]),
    parallel: Type.Integer({
      minimum: 1,
      maximum: MOST_EVALUATIONS,
      description: "Number of points evaluated at the same time",
    }),
    evaluations: Type.Integer({
      minimum: 1,
      maximum: MOST_EVALUATIONS,
      description: "Maximum number of points to evaluate",
    }),
  },
  { ...strict, description: "Search: new points are chosen from the results of earlier ones" },
);

/** Parameters of an array. */
export const sweepSchema = Type.Object(
  {
    parameters: Type.Array(
      Type.Union([
        Type.Object(
          { name: parameterName, values: Type.Array(text, { minItems: 1, maxItems: MOST_MEMBERS }) },
          strict,
        ),
        Type.Object(
          {
            ...{ name: parameterName, from: finite, step: finite },
            count: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
          },
          strict,
        ),
      ]),
      { minItems: 1, maxItems: 50 },
    ),
    combine: Type.Enum(["product", "zip"], {
      description:
        "`product`: every combination of values; `zip`: the first values of all parameters, then the " +
        "second ones, and so on",
    }),
    points: Type.Optional(
      Type.String({
        pattern: "^\\d{1,9}(-\\d{1,9})?(,\\d{1,9}(-\\d{1,9})?)*$",
        maxLength: MOST_POINTS_TEXT,
        description: "Points for which jobs are created, as ascending ranges; absent: all",
      }),
    ),
    search: Type.Optional(searchSchema),
    scouts: Type.Optional(
      Type.Enum([...SCOUT_MODES], {
        description:
          "1 % of the jobs, at least 3, run first; time limit and memory of the others are proposed from " +
          "their use. `propose`: the others run as described; `use`: as proposed; `wait`: after a decision",
      }),
    ),
  },
  {
    ...strict,
    description:
      "One job for each point: a value for each parameter. `${name}` and `_PARAM_name_` in texts of the " +
      "description are replaced by the values. `array` selects points by their indexes; absent: all",
  },
);
