import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Table,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { type VariantDraft, variantDraft } from "./draft.ts";

const DISCIPLINES = ["fcfs", "easy", "conservative", "repack"];
const PRIORITIES = ["slurm", "maui", "condor", "age", "size", "length"];
const FIELDS = ["Name", "Discipline", "Priority", "Estimates", "Processors", "More"];
const MOST_VARIANTS = 8;

interface Editing {
  readonly variants: readonly VariantDraft[];
  readonly onChange: (variants: readonly VariantDraft[]) => void;
}

/** The variants, a row each; the first is what the others are compared with. */
export function VariantTable({ variants, onChange }: Editing) {
  const [open, setOpen] = useState<number>();
  const change = (key: number, words: Partial<VariantDraft>): void =>
    onChange(variants.map((variant) => (variant.key === key ? { ...variant, ...words } : variant)));
  const opened = variants.find(({ key }) => key === open);
  const add = (): void => onChange([...variants, variantDraft({ name: `variant ${variants.length + 1}` })]);
  return (
    <Stack gap="xs">
      <div className="table-wrap">
        <Table className="fields" aria-label="Variants">
          <Table.Thead>
            <Table.Tr>
              {FIELDS.map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {variants.map((variant, at) => (
              <VariantRow
                key={variant.key}
                variant={variant}
                at={at}
                isOpen={open === variant.key}
                onOpen={() => setOpen(open === variant.key ? undefined : variant.key)}
                onChange={(words) => change(variant.key, words)}
                {...(variants.length > 1 && {
                  onRemove: () => onChange(variants.filter(({ key }) => key !== variant.key)),
                })}
              />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {opened && <MoreRules variant={opened} onChange={(words) => change(opened.key, words)} />}
      <Group>
        <Button variant="default" onClick={add} disabled={variants.length >= MOST_VARIANTS}>
          Add a variant
        </Button>
      </Group>
    </Stack>
  );
}

interface RowEditing {
  readonly variant: VariantDraft;
  readonly onChange: (words: Partial<VariantDraft>) => void;
}

interface RowPlace {
  readonly at: number;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onRemove?: () => void;
}

function VariantRow({ variant, at, isOpen, onOpen, onRemove, onChange }: RowEditing & RowPlace) {
  const row = `of variant ${at + 1}`;
  return (
    <Table.Tr>
      <Table.Td data-label="Name">
        <TextInput
          aria-label={`Name ${row}`}
          value={variant.name}
          maxLength={60}
          required
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </Table.Td>
      <Table.Td data-label="Discipline">
        <Word
          {...{ label: `Discipline ${row}`, words: DISCIPLINES, value: variant.discipline, none: "default" }}
          onChange={(discipline) => onChange({ discipline })}
        />
      </Table.Td>
      <Table.Td data-label="Priority">
        <Word
          {...{ label: `Priority ${row}`, words: PRIORITIES, value: variant.priority, none: "by arrival" }}
          onChange={(priority) => onChange({ priority })}
        />
      </Table.Td>
      <Table.Td data-label="Estimates">
        <Word
          {...{ label: `Estimates ${row}`, words: ["exact"], value: variant.estimates, none: "requested" }}
          onChange={(estimates) => onChange({ estimates })}
        />
      </Table.Td>
      <Table.Td data-label="Processors">
        <NumberInput
          aria-label={`Processors ${row}`}
          value={variant.procs}
          onChange={(procs) => onChange({ procs })}
          placeholder="as recorded"
          min={1}
          max={1_000_000}
          allowDecimal={false}
          hideControls
          w={{ base: "100%", sm: 110 }}
        />
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          <Button variant="subtle" aria-expanded={isOpen} onClick={onOpen} aria-label={`More rules ${row}`}>
            {isOpen ? "Less" : "More"}
          </Button>
          {onRemove && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove variant ${at + 1}`}
              onClick={onRemove}
            >
              ✕
            </ActionIcon>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

interface WordChoice {
  readonly label: string;
  readonly words: readonly string[];
  readonly value: string;
  /** What holds where no word is chosen. */
  readonly none: string;
  readonly onChange: (word: string) => void;
}

function Word({ label, words, value, none, onChange }: WordChoice) {
  return (
    <Select
      aria-label={label}
      data={[{ value: "", label: none }, ...words.map((word) => ({ value: word, label: word }))]}
      value={value}
      onChange={(word) => onChange(word ?? "")}
      allowDeselect={false}
      w={{ base: "100%", sm: 140 }}
    />
  );
}

function MoreRules({ variant, onChange }: RowEditing) {
  const text = (field: "pools" | "priorityRules" | "policies" | "owners", label: string, hint: string) => (
    <Textarea
      label={label}
      description={hint}
      value={variant[field]}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
      autosize
      minRows={2}
      maxRows={12}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
    />
  );
  return (
    <Paper withBorder p="sm" component="section" aria-label={`More rules of ${variant.name}`}>
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          More rules of {variant.name}
        </Text>
        <Select
          label="Jobs that run longer than they requested"
          data={[
            { value: "", label: "are given the time (extend)" },
            { value: "kill", label: "are killed when their requested time is over (kill)" },
          ]}
          value={variant.overrun}
          onChange={(overrun) => onChange({ overrun: overrun ?? "" })}
          allowDeselect={false}
          maw={360}
        />
        {text(
          "pools",
          "Pools",
          "Only for a workload that describes pools; one per line: gpu nodes=4 procs=32",
        )}
        {text(
          "priorityRules",
          "Settings of the priority",
          "YAML, as in the file of stint sim --priority-config",
        )}
        {text("policies", "Usage policies", "YAML for one site: an enforcer admits jobs by these policies")}
        {text("owners", "Owners", "YAML that maps users to consumers; without it, user 12 is consumer u12")}
      </Stack>
    </Paper>
  );
}
