import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/bring-what-you-have.md");
