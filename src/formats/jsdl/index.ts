export { readJsdl } from "./read.ts";
