import { describeGuide } from "./run-guide.ts";

describeGuide("docs/guides/several-sites.md");
