/** Operations on the terminals of interactive jobs. */
import type { TerminalQuery, TerminalView, TerminalWrite } from "../contract/index.ts";
import { look, none, of, question } from "./operation-shapes.ts";

export const TERMINAL_OPERATIONS = {
  watchTerminal: { ...look, path: "/jobs/:id/terminal", query: of<TerminalQuery>(), answer: none },
  // What was typed has its place: sent twice it is typed once.
  writeTerminal: {
    ...question,
    path: "/jobs/:id/terminal",
    body: of<TerminalWrite>(),
    answer: of<TerminalView>(),
  },
} as const;
