/** `stint replica`: which sites have copies of a file. */
import { Command } from "commander";
import type { ReplicaView } from "../api/client/index.ts";
import { Fault, formatSize } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { sizeValue } from "./quantity-values.ts";
import { printable } from "./text-table.ts";

const EXAMPLES = `
Examples:
  $ stint replica add /cms/run7/hits.root --size 4G --at west/disk
  $ stint replica add /cms/run7/hits.root --at east/disk --url file:///data/hits.root
  $ stint replica list /cms/run7/
  $ stint replica remove /cms/run7/hits.root --at west/disk

A logical name is /VO/GROUP/…/NAME. Those who may submit for the consumer of its
folder may change its entry. All copies of a name have the same size. Nothing is
transferred or deleted: the catalogue only records where files are. A job lists
the files that it reads (inputData, --input-data); sites that can read them
sooner are preferred.
`;

const LISTING: Listing<ReplicaView> = {
  columns: [
    { head: "FILE", isFlexible: true, cell: ({ name }) => name },
    { head: "SIZE", align: "right", cell: ({ bytes }) => formatSize(bytes) },
    { head: "AT", cell: ({ copies }) => copies.map(({ site, store }) => `${site}/${store}`).join(", ") },
  ],
  fields: ["name", "bytes", "checksum", "copies"],
  record: (replica) => ({ ...replica }),
  name: ({ name }) => name,
};

/** A copy's place. */
interface Place {
  readonly site: string;
  readonly store: string;
}

/** Command definition of `stint replica`. */
export function replicaCommand(context: CommandContext): Command {
  return new Command("replica")
    .summary("record which sites have copies of files")
    .description("Records which stores of sites have copies of a file, under its logical name.")
    .addHelpText("after", EXAMPLES)
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(removeCommand(context));
}

interface AddOptions {
  readonly at: Place;
  readonly size?: number;
  readonly url?: string;
  readonly checksum?: string;
}

function addCommand(context: CommandContext): Command {
  return new Command("add")
    .summary("record a copy of a file")
    .description("Records a copy of a file in a store of a site.")
    .argument("<name>", "logical name: /VO/GROUP/…/NAME")
    .requiredOption("--at <site/store>", "store that has the copy", placeValue)
    .option("--size <size>", "size of the file (default: that of its other copies)", sizeValue("--size"))
    .option("--url <url>", "path of the copy in the store")
    .option("--checksum <sum>", "adler32:HEX, md5:HEX or sha256:HEX")
    .action(async (name: string, { at, size, url, checksum }: AddOptions) => {
      const body = {
        ...{ name, ...at },
        ...(size === undefined ? {} : { bytes: size }),
        ...(url === undefined ? {} : { url }),
        ...(checksum === undefined ? {} : { checksum }),
      };
      const { items } = await (await context.client()).call("addReplica", { body });
      const copies = items.find((it) => it.name === name)?.copies.length ?? 0;
      context.terminal.writeResult(`${printable(name)}: ${copies} ${copies === 1 ? "copy" : "copies"}\n`);
    });
}

function listCommand(context: CommandContext): Command {
  return new Command("list")
    .summary("list files with their copies")
    .description("Lists files of the catalogue with the stores that have copies.")
    .argument("[under]", "only names with this prefix")
    .addOption(outputOption())
    .action(async (under: string | undefined, { output: form }: { readonly output: OutputForm }) => {
      const query = under === undefined ? {} : { under };
      const { items } = await (await context.client()).call("listReplicas", { query });
      await writeItems({ items, form, none: "the catalogue has no such files" }, LISTING, context.terminal);
    });
}

function removeCommand(context: CommandContext): Command {
  return new Command("remove")
    .summary("remove copies of a file from the catalogue")
    .description("Removes a file from the catalogue, or one of its copies. Deletes no file.")
    .argument("<name>", "logical name")
    .option("--at <site/store>", "only the copy in this store", placeValue)
    .action(async (name: string, { at }: { readonly at?: Place }) => {
      await (await context.client()).call("removeReplica", { query: { name, ...at } });
      context.terminal.writeResult(`${printable(name)}: removed\n`);
    });
}

function placeValue(text: string): Place {
  const [site = "", store = "", ...more] = text.split("/");
  if (site !== "" && store !== "" && more.length === 0) return { site, store };
  throw new Fault({
    kind: "badInput",
    code: "optionValueWrong",
    what: `--at: "${printable(text)}" was not understood`,
    why: "it names a site and one of its stores",
    remedy: "write for instance --at west/disk",
  });
}
