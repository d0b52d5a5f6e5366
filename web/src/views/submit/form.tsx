import { NumberInput, SimpleGrid, Stack, TextInput } from "@mantine/core";

/** What the form asks for; texts as they are typed. */
export interface FormValue {
  readonly command: string;
  readonly name: string;
  readonly procs: number;
  readonly memory: string;
  readonly wallTime: string;
}

/** A form before anything is typed. */
export const EMPTY_FORM: FormValue = { command: "", name: "", procs: 1, memory: "", wallTime: "1h" };

/** A form for one command; what it does not ask for is written as a description. */
export function Form({
  value,
  onChange,
}: {
  readonly value: FormValue;
  readonly onChange: (value: FormValue) => void;
}) {
  const text = (name: Exclude<keyof FormValue, "procs">) => ({
    value: value[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      onChange({ ...value, [name]: event.currentTarget.value }),
  });
  return (
    <Stack gap="sm">
      <TextInput
        label="Command"
        description="Run by sh in its own directory"
        placeholder="python3 fit.py --seed 7"
        required
        {...text("command")}
      />
      <TextInput label="Name" placeholder="to find the job by" {...text("name")} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NumberInput
          label="Processors"
          min={1}
          allowDecimal={false}
          value={value.procs}
          onChange={(procs) => onChange({ ...value, procs: Number(procs) || 1 })}
        />
        <TextInput label="Memory" placeholder="2G" {...text("memory")} />
        <TextInput label="Time limit" placeholder="1h30m" {...text("wallTime")} />
      </SimpleGrid>
    </Stack>
  );
}

/** The description of a form, in YAML; JSON texts are YAML. Empty without a command. */
export function textOfForm({ command, name, procs, memory, wallTime }: FormValue): string {
  if (command.trim() === "") return "";
  const lines = [
    "executable: sh",
    `arguments: ["-c", ${JSON.stringify(command)}]`,
    ...(name === "" ? [] : [`name: ${JSON.stringify(name)}`]),
    `procs: ${procs}`,
    ...(memory === "" ? [] : [`memory: ${JSON.stringify(memory)}`]),
    ...(wallTime === "" ? [] : [`wallTime: ${JSON.stringify(wallTime)}`]),
  ];
  return `${lines.join("\n")}\n`;
}
