/** Admin: sites and their care, tokens, accounts, and the health of the broker. */
import { Stack, Tabs } from "@mantine/core";
import { useMay } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Accounts } from "./accounts.tsx";
import { Health } from "./health.tsx";
import { Sites } from "./sites.tsx";
import { Tokens } from "./tokens.tsx";

export function View() {
  const may = useMay();
  const parts = [
    { name: "Sites", isShown: may("seeSite"), content: <Sites /> },
    { name: "Tokens", isShown: may("seeToken"), content: <Tokens /> },
    { name: "Accounts", isShown: may("seeAccount"), content: <Accounts /> },
    { name: "Health", isShown: may("seeLog"), content: <Health /> },
  ].filter(({ isShown }) => isShown);
  const [first] = parts;
  return (
    <Stack>
      <Heading title="Admin" />
      {first === undefined ? (
        <Empty title="You have no administrative rights">
          Your role and the scopes of your token determine your rights.
        </Empty>
      ) : (
        <Tabs defaultValue={first.name} keepMounted={false}>
          <Tabs.List mb="md">
            {parts.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {parts.map(({ name, content }) => (
            <Tabs.Panel key={name} value={name}>
              {content}
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </Stack>
  );
}
