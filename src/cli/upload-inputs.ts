/** Input files of a submission that are uploaded, since the broker is on another machine. */
import type { JobSubmission, StintClient } from "../api/client/index.ts";
import { counted, formatSize } from "../base/index.ts";
import { uploadNamed } from "../model/index.ts";
import type { Terminal } from "./terminal.ts";

/** True if files are uploaded: by the option, or by default if the broker is on another machine. */
export interface UploadChoice {
  readonly upload?: boolean;
}

type Uploading = Pick<StintClient, "isElsewhere" | "upload">;
type Shown = Pick<Terminal, "showsProgress" | "writeError">;

/**
 * Uploads the files that jobs send along, each once, and names them so; other jobs stay as they are.
 *
 * @throws Fault of a file; what was uploaded before is not sent again by the next try
 */
export async function uploadInputs<Job extends Pick<JobSubmission, "inputSandbox">>(
  jobs: readonly Job[],
  { upload }: UploadChoice,
  { client, terminal }: { readonly client: Uploading; readonly terminal: Shown },
): Promise<readonly Job[]> {
  if (!(upload ?? client.isElsewhere)) return jobs;
  const paths = new Set(jobs.flatMap(({ inputSandbox = [] }) => inputSandbox).filter(isPath));
  const names = new Map<string, string>();
  for (const path of paths) {
    const place = `${names.size + 1} of ${counted(paths.size, "file")}`;
    const onProgress = terminal.showsProgress
      ? (bytes: number) => terminal.writeError(`\r\u001b[Kstint: uploading ${place}: ${formatSize(bytes)}`)
      : undefined;
    try {
      names.set(path, await client.upload(path, { onProgress }));
    } finally {
      if (terminal.showsProgress) terminal.writeError("\r\u001b[K");
    }
  }
  return jobs.map((job) =>
    job.inputSandbox === undefined
      ? job
      : { ...job, inputSandbox: job.inputSandbox.map((path) => names.get(path) ?? path) },
  );
}

function isPath(path: string): boolean {
  return uploadNamed(path) === undefined;
}
