import { createPageClient } from "../../../src/api/client/in-page.ts";

export * from "../../../src/api/client/in-page.ts";

/** The client of the broker that has served this page. */
export const client = createPageClient();
