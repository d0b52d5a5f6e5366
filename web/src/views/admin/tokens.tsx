import {
  Alert,
  Button,
  Code,
  CopyButton,
  Fieldset,
  Group,
  Select,
  Stack,
  Table,
  TextInput,
} from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client, type Operations } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { useMay } from "../../app/session.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Instant } from "../../parts/time.tsx";

type Role = Operations["createToken"]["asked"][0]["body"]["role"];
const ROLES: readonly Role[] = ["user", "voAdmin", "operator", "siteAdmin", "auditor", "admin", "sensor"];
const signs = { valid: "●", expired: "○", revoked: "⊘" } as const;

/** Tokens without their secrets; a new one is shown once. */
export function Tokens() {
  const may = useMay();
  const tokens = useQuery({ queryKey: ["tokens"], queryFn: client.tokens });
  const revoke = useMutation({
    mutationFn: client.revokeToken,
    onSettled: () => queries.invalidateQueries({ queryKey: ["tokens"] }),
  });
  const askRevoke = (id: string): void => {
    if (window.confirm(`Revoke the token ${id}? Requests that use it are refused immediately.`))
      revoke.mutate(id);
  };
  return (
    <Stack>
      {may("createToken") && <NewToken />}
      <FaultNote error={tokens.error ?? revoke.error} />
      <div className="table-wrap">
        <Table aria-label="Tokens">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Id</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>Consumer</Table.Th>
              <Table.Th>Label</Table.Th>
              <Table.Th>Created by</Table.Th>
              <Table.Th>Expires</Table.Th>
              <Table.Th>
                <span hidden>Revoke</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tokens.data?.map(({ id, state, role, consumer, site, label, createdBy, expiresAt }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Code>{id}</Code>
                </Table.Td>
                <Table.Td>
                  <span aria-hidden="true">{signs[state]}</span> {state}
                </Table.Td>
                <Table.Td>{site === null ? role : `${role} of ${site}`}</Table.Td>
                <Table.Td>{consumer}</Table.Td>
                <Table.Td>{label === "" ? "–" : label}</Table.Td>
                <Table.Td>{createdBy}</Table.Td>
                <Table.Td>
                  <Instant at={expiresAt} />
                </Table.Td>
                <Table.Td>
                  {state === "valid" && may("revokeToken") && (
                    <Button variant="outline" color="red" size="compact-xs" onClick={() => askRevoke(id)}>
                      Revoke
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Stack>
  );
}

function NewToken() {
  const [role, setRole] = useState<Role>("user");
  const [consumer, setConsumer] = useState("");
  const [site, setSite] = useState("");
  const [label, setLabel] = useState("");
  const isOfSite = role === "siteAdmin" || role === "sensor";
  const make = useMutation({
    mutationFn: () =>
      client.createToken({
        role,
        ...(consumer === "" ? {} : { consumer }),
        ...(isOfSite ? { site } : {}),
        ...(label === "" ? {} : { label }),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["tokens"] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Fieldset legend="New token">
        <Group align="end">
          <Select
            label="Role"
            data={[...ROLES]}
            allowDeselect={false}
            value={role}
            onChange={(value) => setRole(ROLES.find((it) => it === value) ?? "user")}
          />
          <TextInput
            label="Consumer"
            placeholder="vo/group/user"
            value={consumer}
            onChange={(event) => setConsumer(event.currentTarget.value)}
          />
          {isOfSite && (
            <TextInput
              label="Site"
              required
              value={site}
              onChange={(event) => setSite(event.currentTarget.value)}
            />
          )}
          <TextInput
            label="Label"
            placeholder="its purpose"
            maxLength={100}
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          <Button type="submit" size="sm" loading={make.isPending}>
            Create
          </Button>
        </Group>
        <FaultNote error={make.error} />
        {make.data !== undefined && <ShownOnce token={make.data.token} />}
      </Fieldset>
    </form>
  );
}

function ShownOnce({ token }: { readonly token: string }) {
  return (
    <Alert mt="sm" color="green" variant="light" title="The token is shown only once" role="status">
      <Group gap="xs">
        <Code style={{ overflowWrap: "anywhere" }}>{token}</Code>
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <Button variant="default" size="compact-xs" onClick={copy}>
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Alert>
  );
}
