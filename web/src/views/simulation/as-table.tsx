import type { ReactNode } from "react";

/** The content of a picture as a table, opened on demand. */
export function AsTable({ children }: { readonly children: ReactNode }) {
  return (
    <details>
      <summary>As a table</summary>
      <section className="table-wrap" aria-label="Chart as a table" tabIndex={0}>
        {children}
      </section>
    </details>
  );
}
