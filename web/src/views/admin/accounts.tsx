import { Button, Group, Stack, Table, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client } from "../../app/client.ts";
import { useSession } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { suText } from "../../parts/format.ts";

/** Balances of a consumer at each site and level, what sites have earned, and the latest entries. */
export function Accounts() {
  const { data: session } = useSession();
  const [typed, setTyped] = useState("");
  const [consumer, setConsumer] = useState("");
  const asked = consumer === "" ? (session?.consumer ?? "") : consumer;
  const account = useQuery({
    queryKey: ["accounts", asked],
    queryFn: () => client.account({ consumer: asked }),
    enabled: asked !== "",
  });
  const ask = (event: FormEvent): void => {
    event.preventDefault();
    setConsumer(typed.trim());
  };
  return (
    <Stack>
      <form onSubmit={ask}>
        <Group align="end">
          <TextInput
            label="Consumer"
            placeholder={session?.consumer ?? "vo/group/user"}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" size="sm" variant="default">
            Show
          </Button>
        </Group>
      </form>
      <FaultNote error={account.error} />
      {account.data?.levels.length === 0 && (
        <Empty title="No grants or charges">stint account grant SITE CONSUMER AMOUNT</Empty>
      )}
      <div className="table-wrap">
        <Table aria-label="Balances">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Site</Table.Th>
              <Table.Th>Consumer</Table.Th>
              <Table.Th className="number">Balance</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {account.data?.levels.map(({ site, consumer: level, balanceSu, granted }) => (
              <Table.Tr key={`${site} ${level}`}>
                <Table.Td>{site}</Table.Td>
                <Table.Td>{level}</Table.Td>
                <Table.Td className="number">
                  {balanceSu === null || !granted ? "not limited" : suText(balanceSu)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Stack>
  );
}
