/** The page: for people who would rather look than read. */
import "@mantine/core/styles.css";
import "./app/page.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./app/queries.ts";
import { router } from "./app/router.tsx";
import { theme } from "./app/theme.ts";

/** Least time between two loads of the document after a part of the page was not found. */
const RELOAD_MS = 10_000;

// A broker of another version no longer has the parts of this page that were not loaded yet.
addEventListener("vite:preloadError", (event) => {
  const last = Number(sessionStorage.getItem("reloadedAt") ?? 0);
  if (Date.now() - last < RELOAD_MS) return;
  event.preventDefault();
  sessionStorage.setItem("reloadedAt", String(Date.now()));
  location.reload();
});

const root = document.getElementById("root");
if (root === null) throw new Error("the document has no #root");

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
