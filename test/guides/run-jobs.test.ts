import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/run-jobs.md");
