import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/describe-a-job.md");
