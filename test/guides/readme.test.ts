import { describeGuide } from "./run-guide.ts";

describeGuide("README.md");
