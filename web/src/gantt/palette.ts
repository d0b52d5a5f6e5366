import type { BarKind } from "./bar.ts";

/** Colours of a scheme. */
export interface Palette {
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly ground: string;
  readonly now: string;
  readonly mine: string;
  readonly bars: Readonly<Record<BarKind, string>>;
}

/** Okabe and Ito's colours, which are told apart with any colour vision; lighter ones on dark. */
export const PALETTES: Readonly<Record<"light" | "dark", Palette>> = {
  light: {
    ...{ text: "#1b1f23", quiet: "#5c636b", line: "#dde1e6", ground: "#ffffff", now: "#b3261e" },
    mine: "#d55e00",
    bars: {
      past: "#8fb4d9",
      failed: "#c98a84",
      running: "#009e73",
      queued: "#e8b84a",
      reservation: "#cc79a7",
      offer: "#ecc9dc",
      setAside: "#8a9199",
      others: "#b9c0c7",
      free: "#eaf3ee",
    },
  },
  dark: {
    ...{ text: "#e6e9ec", quiet: "#a3abb5", line: "#3a3f45", ground: "#242424", now: "#ff8a80" },
    mine: "#ff9d4d",
    bars: {
      past: "#4f7ba8",
      failed: "#a3554d",
      running: "#2fbf95",
      queued: "#c99a2e",
      reservation: "#c272a0",
      offer: "#7d4f69",
      setAside: "#6b737b",
      others: "#565e66",
      free: "#2a3530",
    },
  },
};

/** Text within a bar: of a good contrast on all colours of bars. */
export const IN_BAR = "#10171d";
