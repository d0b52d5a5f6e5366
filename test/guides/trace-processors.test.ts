import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/trace-processors.md");
