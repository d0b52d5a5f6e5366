/**
 * The views, each a folder of `views/` that is loaded when it is first shown. `needs` is the action without
 * which a view has nothing to show; the menu then omits it.
 */
import type { ComponentType } from "react";

/** A view. */
export interface ViewEntry {
  /** Path of the router, with parameters as `$name`. */
  readonly path: string;
  /** Name in the menu; absent: reached from other views alone. */
  readonly label?: string;
  /** Path of the view in the menu to which it belongs; absent: the one under which its own path is. */
  readonly below?: string;
  readonly needs?: string;
  readonly load: () => Promise<{ readonly View: ComponentType }>;
}

/** All views, in the order of the menu. */
export const VIEWS: readonly ViewEntry[] = [
  { path: "/", label: "Now", load: () => import("../views/now/index.tsx") },
  { path: "/jobs", label: "Jobs", needs: "seeJob", load: () => import("../views/jobs/index.tsx") },
  {
    path: "/workflows",
    label: "Workflows",
    needs: "seeJob",
    load: () => import("../views/wholes/index.tsx"),
  },
  { path: "/streams", label: "Streams", needs: "seeJob", load: () => import("../views/streams/index.tsx") },
  { path: "/plan", below: "/workflows", needs: "submit", load: () => import("../views/plan/index.tsx") },
  { path: "/workflows/$id", load: () => import("../views/workflow/index.tsx") },
  { path: "/dags/$id", below: "/workflows", load: () => import("../views/dag/index.tsx") },
  { path: "/arrays/$id", below: "/workflows", load: () => import("../views/array/index.tsx") },
  { path: "/sites", label: "Schedules", needs: "seeSite", load: () => import("../views/sites/index.tsx") },
  { path: "/compare", below: "/sites", needs: "seeSite", load: () => import("../views/compare/index.tsx") },
  { path: "/sites/$name", load: () => import("../views/site/index.tsx") },
  { path: "/submit", label: "Submit", needs: "submit", load: () => import("../views/submit/index.tsx") },
  {
    path: "/policies",
    label: "Policies",
    needs: "seePolicy",
    load: () => import("../views/policies/index.tsx"),
  },
  { path: "/jobs/$id", load: () => import("../views/job/index.tsx") },
  {
    path: "/what-if",
    label: "What if",
    needs: "seeSimulation",
    load: () => import("../views/what-if/index.tsx"),
  },
  { path: "/what-if/$id", load: () => import("../views/simulation/index.tsx") },
  { path: "/admin", label: "Admin", load: () => import("../views/admin/index.tsx") },
];
