/** After each file of tests, no broker of it is left. */
import { afterAll } from "vitest";
import { endBrokersLeft } from "./live-broker.ts";

afterAll(endBrokersLeft);
