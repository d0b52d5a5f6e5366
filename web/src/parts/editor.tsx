import { Alert, Box, List, Text } from "@mantine/core";
import { useRef } from "react";
import classes from "./editor.module.css";

/** What is wrong, or doubtful, in a text. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly line?: number | null | undefined;
  readonly column?: number | null | undefined;
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}

/** A text with numbered lines, marks at those with findings, and below the findings with links to them. */
export function Editor({
  label,
  text,
  onChange,
  findings,
  rows = 16,
}: {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly findings: readonly Finding[];
  readonly rows?: number;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const lines = text.split("\n");
  const worst = new Map<number, Finding["severity"]>();
  for (const { line, severity } of findings) {
    if (line != null && worst.get(line) !== "error") worst.set(line, severity);
  }
  const goTo = ({ line, column }: Finding): void => {
    if (line == null || area.current === null) return;
    const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const at = before + (column ?? 1) - 1;
    area.current.focus();
    area.current.setSelectionRange(at, at);
  };
  return (
    <div>
      <Box className={classes.frame}>
        <pre ref={gutter} className={classes.gutter} aria-hidden="true">
          {lines.map((_, index) => {
            const severity = worst.get(index + 1);
            const sign = severity === undefined ? "" : { error: "✕", warning: "!" }[severity];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its number
              <div key={index} className={severity === undefined ? undefined : classes[severity]}>
                {sign} {index + 1}
              </div>
            );
          })}
        </pre>
        <textarea
          ref={area}
          className={classes.text}
          aria-label={label}
          aria-invalid={findings.some(({ severity }) => severity === "error")}
          value={text}
          rows={rows}
          spellCheck={false}
          autoCapitalize="off"
          onChange={(event) => onChange(event.currentTarget.value)}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </Box>
      {findings.length > 0 && <Findings findings={findings} onChoose={goTo} />}
    </div>
  );
}

function Findings({
  findings,
  onChoose,
}: {
  readonly findings: readonly Finding[];
  readonly onChoose: (finding: Finding) => void;
}) {
  return (
    <Alert
      mt="xs"
      variant="light"
      color={findings.some(({ severity }) => severity === "error") ? "red" : "yellow"}
      role="status"
    >
      <List size="sm" spacing={4}>
        {findings.slice(0, 20).map((finding) => (
          <List.Item key={`${finding.line}:${finding.column}:${finding.what}`}>
            <button type="button" className={classes.place} onClick={() => onChoose(finding)}>
              {finding.severity}
              {finding.line == null ? "" : `, line ${finding.line}`}
            </button>
            : {finding.what}: {finding.why}.{" "}
            <Text span size="sm" c="dimmed">
              {finding.remedy}
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
