import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/paper-comparison.md");
