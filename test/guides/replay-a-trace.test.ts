import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/replay-a-trace.md");
