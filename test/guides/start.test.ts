import { describeGuide } from "./run-guide.ts";

describeGuide("docs/start/scientist.md", "docs/start/collaboration.md", "docs/start/administrator.md");
