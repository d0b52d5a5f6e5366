import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A link in a row of a long table; bold for the user's own jobs. */
export function RowLink({
  to,
  isMine,
  children,
}: {
  readonly to: string;
  readonly isMine: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Link to={to} className={isMine ? "row-link mine" : "row-link"}>
      {children}
    </Link>
  );
}
