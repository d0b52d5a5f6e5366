import { List, Stack, Table, Text, Title } from "@mantine/core";
import type { PolicyCheckView } from "../../app/client.ts";
import { percentText } from "./standing.tsx";

type Change = PolicyCheckView["changes"][number];
type Form = NonNullable<Change["before"]>;

const SIGNS = { added: "＋", removed: "－", changed: "≠" } as const;

/** What the text would change of the policies in force, and who gives away more than it has. */
export function Changes({ check }: { readonly check: PolicyCheckView }) {
  const { changes, overProvisioned, onVersion } = check;
  const against = onVersion === 0 ? "no policies" : `version ${onVersion}`;
  return (
    <Stack component="section" gap="xs" aria-label="Differences">
      <Title order={2}>Differences from {against}</Title>
      {changes.length === 0 && <Text size="sm">None: the text defines the same policies.</Text>}
      {changes.length > 0 && (
        <section className="table-wrap" aria-label="Differences, table" tabIndex={0}>
          <Table aria-label={`Differences from ${against}`}>
            <Table.Thead>
              <Table.Tr>
                {["Change", "Provider", "Consumer", "Resource", "Share", "Burst", "Terms"].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map((change) => (
                <Row key={rowKey(change)} change={change} />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      {overProvisioned.length > 0 && (
        <List size="sm">
          {overProvisioned.map(({ provider, resource, sumPpm, consumers }) => (
            <List.Item key={`${provider} ${resource}`}>
              {provider} grants {percentText(sumPpm)} of its {resource}. When all consumers have work, they
              get: {consumers.map((it) => `${it.consumer} ${percentText(it.entitledPpm)}`).join(", ")}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

function Row({ change }: { readonly change: Change }) {
  const either = change.after ?? change.before;
  if (either === null) return null;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <span aria-hidden="true">{SIGNS[change.change]} </span>
        {change.change}
      </Table.Td>
      <Table.Td>{either.provider}</Table.Td>
      <Table.Td>{either.consumer}</Table.Td>
      <Table.Td>{either.resource}</Table.Td>
      <Table.Td>{fromTo(change, ({ epoch }) => `${epoch.share} of ${epoch.interval}`)}</Table.Td>
      <Table.Td>{fromTo(change, ({ burst }) => `${burst.share} by ${burst.interval}`)}</Table.Td>
      <Table.Td>{fromTo(change, ({ rule, mode, carry }) => `${rule}, ${mode}, ${carry}`)}</Table.Td>
    </Table.Tr>
  );
}

function fromTo({ before, after }: Change, text: (form: Form) => string): string {
  const [old, fresh] = [before && text(before), after && text(after)];
  return old === null || fresh === null || old === fresh ? (old ?? fresh ?? "") : `${old} → ${fresh}`;
}

function rowKey({ change, before, after }: Change): string {
  const { provider, consumer, resource } = after ?? before ?? { provider: "", consumer: "", resource: "" };
  return `${change} ${provider} ${consumer} ${resource}`;
}
