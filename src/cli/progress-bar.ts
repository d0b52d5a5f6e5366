/** One line of progress on stderr, which goes however the process ends. */
import { SingleBar } from "cli-progress";

/** Words of a line beside its bar, by their names in its format. */
type Words = Readonly<Record<string, string | number>>;

/** A line of progress that is shown. */
export interface ProgressBar {
  readonly update: (done: number, words: Words) => void;
  readonly setTotal: (total: number) => void;
  /** Removes the line. */
  readonly clear: () => void;
}

/** Starts a line of the format of cli-progress, such as `{bar} {value} of {total}`. */
export function beginProgressBar(format: string, total: number, words: Words): ProgressBar {
  const bar = new SingleBar({
    stream: process.stderr,
    format,
    barsize: 20,
    clearOnComplete: true,
    hideCursor: false,
    gracefulExit: false,
  });
  const clear = (): void => {
    process.off("exit", clear);
    bar.stop();
  };
  // However the process ends, the terminal gets its cursor and line wrapping back.
  process.once("exit", clear);
  bar.start(total, 0, words);
  return {
    update: (done, later) => bar.update(done, later),
    setTotal: (later) => bar.setTotal(later),
    clear,
  };
}
