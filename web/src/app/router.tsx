import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Crash, NotFound } from "./astray.tsx";
import { Shell } from "./shell.tsx";
import { VIEWS } from "./views.ts";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Crash });

const routes = VIEWS.map(({ path, load }) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, "View") }),
);

/** The router of the table of views. */
export const router = createRouter({ routeTree: root.addChildren(routes), defaultPreload: "intent" });
