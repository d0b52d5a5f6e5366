export { provDocument } from "./prov.ts";
export { roCrate } from "./ro-crate.ts";
