import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/classads.md");
