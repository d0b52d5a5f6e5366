/** Policies: who has what share, use against the limits, what enforcers did, the editor, the verification. */
import { Select, Stack, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, type PoliciesView, pathOf } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Course } from "./course.tsx";
import { Enforcement } from "./enforcement.tsx";
import { PolicyEditor } from "./policy-editor.tsx";
import { Shares } from "./shares.tsx";
import { Verification } from "./verification.tsx";

export function View() {
  const may = useMay();
  const [tab, setTab] = useState<string | null>("shares");
  const [chosen, setChosen] = useState<string | null>(null);
  const [consumer, setConsumer] = useState<string | null>(null);
  const policies = useQuery({ queryKey: ["policies", "now"], queryFn: client.policies });
  const sites = policies.data?.enforcers.map(({ site }) => site) ?? [];
  const site = chosen ?? sites.find((name) => hasPolicies(name, policies.data)) ?? sites[0];
  return (
    <Stack>
      <Heading title="Policies" json={pathOf("getPolicies", {})}>
        {sites.length > 1 && (
          <Select
            size="xs"
            aria-label="Site"
            data={sites}
            value={site ?? null}
            onChange={setChosen}
            allowDeselect={false}
          />
        )}
      </Heading>
      <FaultNote error={policies.error} />
      {policies.data && site === undefined && (
        <Empty title="No sites yet">An administrator adds sites with: stint site add</Empty>
      )}
      {policies.data && site !== undefined && (
        <Tabs value={tab} onChange={setTab} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="shares">Shares</Tabs.Tab>
            <Tabs.Tab value="course">Use over time</Tabs.Tab>
            <Tabs.Tab value="enforcement">Enforcement</Tabs.Tab>
            <Tabs.Tab value="editor">{may("changePolicy") ? "Change" : "Try a change"}</Tabs.Tab>
            <Tabs.Tab value="verification">Verification</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="shares">
            <Shares
              site={site}
              policies={policies.data}
              onChoose={(path) => {
                setConsumer(path);
                setTab("course");
              }}
            />
          </Tabs.Panel>
          <Tabs.Panel value="course">
            <Course key={site} site={site} consumer={consumer} onChoose={setConsumer} />
          </Tabs.Panel>
          <Tabs.Panel value="enforcement">
            <Enforcement site={site} enforcers={policies.data.enforcers} />
          </Tabs.Panel>
          <Tabs.Panel value="editor" keepMounted>
            <PolicyEditor site={site} />
          </Tabs.Panel>
          <Tabs.Panel value="verification">
            <Verification key={site} site={site} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Stack>
  );
}

/** True where a policy in force gives shares of a site, or of a pool of it. */
function hasPolicies(site: string, policies: PoliciesView | undefined): boolean {
  const given = policies?.now?.policies ?? [];
  return given.some(({ provider }) => provider === site || provider.startsWith(`${site}/`));
}
