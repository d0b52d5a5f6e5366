import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/pilots.md");
