import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/workload-format.md");
