import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, Fault, type PolicyCheckView } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { useMay } from "../../app/session.ts";
import { Editor } from "../../parts/editor.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Changes } from "./changes.tsx";
import { Trial } from "./trial.tsx";

/** The policies as text: checked while it is typed, compared, tried, and applied. */
export function PolicyEditor({ site }: { readonly site: string }) {
  const present = useQuery({
    queryKey: ["policy text"],
    queryFn: () => client.call("checkPolicies", { body: {} }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (present.error) return <FaultNote error={present.error} />;
  if (!present.data) return <Loading what="the policies" />;
  return <Draft present={present.data} site={site} />;
}

function Draft({ present, site }: { readonly present: PolicyCheckView; readonly site: string }) {
  const may = useMay();
  const [text, setText] = useState(present.text);
  const [settled] = useDebouncedValue(text, 300);
  const check = useQuery({
    queryKey: ["policies", "check", settled],
    queryFn: () => client.call("checkPolicies", { body: { text: settled } }),
    placeholderData: keepPreviousData,
  });
  const { data } = check;
  const isChecked = settled === text && data !== undefined && !check.isPlaceholderData;
  return (
    <Stack>
      <Editor label="Policies as text" text={text} onChange={setText} findings={data?.findings ?? []} />
      <FaultNote error={check.error} />
      {data && <Changes check={data} />}
      {may("seeUsage") && <Trial site={site} text={text} isReady={isChecked && data.ok} />}
      {may("changePolicy") && data && <Apply check={data} base={present.onVersion} isReady={isChecked} />}
    </Stack>
  );
}

/** Button that applies on top of the version whose differences were seen; another must be looked at first. */
function Apply({
  check,
  base,
  isReady,
}: {
  readonly check: PolicyCheckView;
  readonly base: number;
  readonly isReady: boolean;
}) {
  const [seen, setSeen] = useState(base);
  const [note, setNote] = useState("");
  const apply = useMutation({
    mutationFn: () =>
      client.applyPolicies({ policies: check.policies, ...(note !== "" && { note }) }, { onVersion: seen }),
    onSuccess: ({ version }) => {
      setSeen(version);
      setNote("");
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["policies"] }),
  });
  const isOther = check.onVersion > seen;
  const isConflict = apply.error instanceof Fault && apply.error.code === "policiesChanged";
  return (
    <Stack gap="xs">
      {isOther && (
        <Alert
          color="yellow"
          variant="light"
          role="alert"
          title={`Version ${check.onVersion} was applied while you were editing`}
        >
          <Text size="sm" mb="xs">
            Someone else changed the policies after you started editing. The differences above are now from
            that version; applying your text undoes its changes unless your text includes them.
          </Text>
          <Button variant="default" onClick={() => setSeen(check.onVersion)}>
            I have reviewed the differences
          </Button>
        </Alert>
      )}
      {!isConflict && <FaultNote error={apply.error} />}
      {apply.data && !isOther && (
        <Alert
          color="green"
          variant="light"
          role="status"
          title={`Version ${apply.data.version} is now in force`}
        />
      )}
      <Group align="end">
        <TextInput
          label="Reason, shown with the version"
          maxLength={1000}
          w={{ base: "100%", sm: 360 }}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Button
          disabled={!isReady || !check.ok || isOther || check.changes.length === 0}
          loading={apply.isPending}
          onClick={() => apply.mutate()}
        >
          Apply as version {check.onVersion + 1}
        </Button>
      </Group>
    </Stack>
  );
}
