/**
 * Remedies and faults that speak of the command line's options, in the words of a scenario.
 */

/** Options whose word in a scenario is another. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "answer-timeout": "answerTimeout",
  "on-outage": "onOutage",
};

/** `--load 0.8` as `load: 0.8`, `--set serialProb` as `parameters.serialProb`. */
export function inScenarioWords(text: string): string {
  return text
    .replaceAll("--set ", "parameters.")
    .replaceAll(
      /--(scale|load|procs|discipline|answer-timeout|on-outage)\b/g,
      (_, option: string) => `${OTHERWISE[option] ?? option}:`,
    );
}
