import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/dags.md");
