import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/what-if.md");
