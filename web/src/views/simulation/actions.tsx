import { Anchor, Button, Group, Modal, Stack, Switch, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { client, pathOf, type SimulationResultView } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { useMay } from "../../app/session.ts";
import { FaultNote } from "../../parts/fault-note.tsx";

interface Of {
  readonly simulation: SimulationResultView;
}

/** What can be done with a simulation: run it again, export, rename and share, delete. */
export function Actions({ simulation }: Of) {
  const { id, mine, state } = simulation;
  const may = useMay();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => client.call("deleteSimulation", { params: { id } }),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: ["simulations"] });
      await navigate({ to: "/what-if" });
    },
  });
  const isOver = state === "done" || state === "failed";
  const ask = (): void => {
    const question = isOver ? "Delete this simulation and its results?" : "Stop and delete this simulation?";
    if (window.confirm(question)) remove.mutate();
  };
  return (
    <Group gap="xs">
      {may("simulate") && (
        <Button component={Link} to={`/what-if?from=${id}`} variant="default">
          Change and run again
        </Button>
      )}
      {mine && <Rename simulation={simulation} />}
      {mine && (
        <Button variant="outline" color="red" loading={remove.isPending} onClick={ask}>
          {isOver ? "Delete" : "Stop"}
        </Button>
      )}
      {state === "done" && (
        <Anchor href={pathOf("exportSimulation", { params: { id } })} size="sm" download>
          Jobs as CSV
        </Anchor>
      )}
      <FaultNote error={remove.error} />
    </Group>
  );
}

function Rename({ simulation: { id, name, shared } }: Of) {
  const [isOpen, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState(name);
  const [isShared, setIsShared] = useState(shared);
  const change = useMutation({
    mutationFn: () =>
      client.call("changeSimulation", { params: { id }, body: { name: typed.trim(), shared: isShared } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["simulation", id] });
      void queries.invalidateQueries({ queryKey: ["simulations"] });
      close();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        Rename or share
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Rename or share"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              maxLength={100}
              required
              data-autofocus
            />
            <Switch
              label="Anyone who is signed in and has the address may see it"
              checked={isShared}
              onChange={(event) => setIsShared(event.currentTarget.checked)}
            />
            <TextInput
              label="Address"
              value={location.href}
              readOnly
              onFocus={(event) => event.target.select()}
            />
            <FaultNote error={change.error} />
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
