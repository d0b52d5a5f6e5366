/** Sweeps and searches of job descriptions: parameters, and how points are chosen. */
import { MOST_EVALUATIONS } from "../../model/index.ts";
import { expression, number, plain, words } from "./job-texts.ts";
import { count, number as decimal, either, flag, list, mapping, names, text, word } from "./shape.ts";

const bound = (description: string) => decimal({ description, least: -1e15, most: 1e15, examples: ["1"] });
const parameter = either(
  {
    list: list(plain),
    mapping: mapping(
      {
        from: bound("The first value, or the least of random ones."),
        to: bound("The last value, or the greatest of random ones."),
        step: bound("Difference between successive values; by default 1."),
        random: count({ description: "Number of random draws.", least: 1, most: 100_000, examples: ["10"] }),
        seed: count({ description: "Seed of the draws.", least: 0, most: 2 ** 31, examples: ["7"] }),
        csv: text({
          description: "CSV file whose first line has names of columns.",
          examples: ["cases.csv"],
        }),
        column: text({
          description: "Column of the CSV file; by default the one with the name of the parameter.",
        }),
      },
      { description: "A range, random draws or a column.", examples: ["{ from: 1, to: 10 }"] },
    ),
  },
  { description: "Values of a parameter.", examples: ["[1, 2, 5]", "{ from: 1, to: 10, step: 0.5 }"] },
);

const objectiveFile = text({
  description: "File of the job that contains the value; by default its standard output.",
  examples: ["result.json"],
});
/** Method that chooses the next points from the values of earlier ones. */
const search = mapping(
  {
    objective: mapping(
      {
        pattern: text({
          description: "Regular expression: the first group of its last match in a line is the value.",
          examples: ["'loss = (\\S+)'"],
        }),
        json: text({ description: "Field of a JSON file that is the value.", examples: ["result.loss"] }),
        exitCode: flag({ description: "true: the exit code of the job is the value." }),
        file: objectiveFile,
      },
      {
        description: "Source of the value of a point.",
        examples: ["{ pattern: 'loss = (\\S+)' }", "{ json: result.loss, file: out.json }"],
      },
    ),
    goal: word(["minimize", "maximize"], {
      description: "Whether the smallest or the largest value is best.",
      default: "minimize",
    }),
    method: word(["annealing", "random", "exec"], {
      description:
        "annealing: simulated annealing; random: random points; exec: a program chooses the points.",
      default: "annealing",
    }),
    program: words("Program that is asked (method exec), by its absolute path, with arguments."),
    evaluations: count({
      ...{
        description: "Maximum number of points to evaluate.",
        least: 1,
        most: MOST_EVALUATIONS,
        examples: ["100"],
      },
    }),
    parallel: count({
      ...{
        description: "Number of points evaluated at the same time.",
        least: 1,
        most: MOST_EVALUATIONS,
        examples: ["4"],
      },
      default: "1",
    }),
    seed: count({
      ...{ description: "Seed of the random numbers.", least: 0, most: 2 ** 31, examples: ["7"] },
      default: "1",
    }),
    t0: decimal({
      ...{ description: "First temperature of annealing.", least: 0, most: 1e300, isAbove: true },
      examples: ["10"],
    }),
    cooling: decimal({
      ...{ description: "Factor of the temperature from point to point.", least: 1e-6, most: 1 },
      examples: ["0.95"],
    }),
    restarts: count({
      ...{
        description: "Number of restarts of annealing, each at a new point.",
        least: 0,
        most: MOST_EVALUATIONS,
      },
      ...{ examples: ["2"], default: "0" },
    }),
  },
  {
    description: "A search: new points are chosen by the values of earlier ones.",
    required: {
      objective: "a search compares the values of its points",
      evaluations: "a search ends after a number of points",
    },
    examples: ["{ objective: { json: loss, file: out.json }, evaluations: 100 }"],
  },
);

/** The shape of a sweep. */
export const sweep = mapping(
  {
    parameters: names(parameter, {
      description: "Parameters by name: a list of values, a range, random draws, or a column of a CSV file.",
      keys: {
        pattern: "^[A-Za-z][A-Za-z0-9_]{0,63}$",
        mismatch: {
          code: "badParameterName",
          noun: "name of a parameter",
          why: "a name has letters, digits and _, and begins with a letter",
        },
      },
      examples: ["{ t: [280, 300], seed: { from: 1, to: 10 } }"],
    }),
    combine: word(["product", "zip"], {
      description:
        "product: every combination; zip: the first value of each parameter, then the second of each, and " +
        "so on.",
      default: "product",
    }),
    where: expression("Only points at which it is true, as a ClassAd expression of the parameters.", [
      "t < 300 || seed == 1",
    ]),
    atMost: number("Largest number of its jobs that run at once.", "50"),
    search,
    scouts: word(["propose", "use", "wait"], {
      description:
        "1 % of its jobs, at least 3, run first, and a time limit and memory are proposed from their use. " +
        "The others then run as described (propose), as proposed (use), or after stint scouts (wait).",
    }),
  },
  {
    description:
      "A sweep: an array of such jobs, one for each point. ${name} and _PARAM_name_ in texts are " +
      "replaced by values; the variable STINT_PARAM_name has them, too.",
    required: { parameters: "a sweep is the values of its parameters" },
    examples: ["{ parameters: { t: [280, 300] } }"],
  },
);
