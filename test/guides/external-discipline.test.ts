import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/external-discipline.md");
