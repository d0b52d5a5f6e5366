// Submits two jobs, follows them to their end, and prints what they wrote.
import { homedir } from "node:os";
import { join } from "node:path";
import { createClient, Fault } from "stint/client";

const { STINT_URL: url, STINT_TOKEN: token = "", STINT_STATE_DIR } = process.env;
const socketPath = join(STINT_STATE_DIR ?? join(homedir(), ".local/state/stint"), "stint.sock");
const client = createClient(url ? { url, token } : { socketPath });

try {
  const ids = await client.submit([
    { executable: "sh", arguments: ["-c", "echo hello from $0", "one"], procs: 1, wallTimeSec: 60 },
    { executable: "sh", arguments: ["-c", "echo 42 > answer.txt"], outputSandbox: ["answer.txt"] },
  ]);
  for (const [index, id] of ids.entries()) {
    const job = await client.watch(id, ({ state }) => console.error(`job ${index + 1}: ${state}`));
    console.log(`job ${index + 1}: ${job.state}, exit code ${job.exitCode}`);
    for (const { name, sizeBytes } of await client.files(id)) {
      if (sizeBytes === 0) continue;
      let text = "";
      for await (const part of client.readFile(id, name)) text += Buffer.from(part);
      console.log(`  ${name}: ${text.trimEnd()}`);
    }
  }
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  console.error(`${error.what}\n  why: ${error.why}\n  do:  ${error.remedy}`);
  process.exitCode = 1;
} finally {
  client.close();
}
