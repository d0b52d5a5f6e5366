/**
 * Clients that known generators make of the OpenAPI document, at a real broker.
 *
 * The generators are not packages of this project. Those for TypeScript and for Python come from the package
 * registry; the latter is the last release of OpenAPI Generator that brings its own program (a Java archive;
 * later releases fetch theirs from elsewhere). It reads OpenAPI 3.0, and makes modules that need urllib3,
 * six, certifi and dateutil. A second one for Python is looked for on the PATH and where `scripts/ci-setup`
 * puts it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { asOpenApi30 } from "./openapi-3-0.ts";
import { temporaryFolder } from "./stint.ts";

const root = resolve(import.meta.dirname, "..");
const isRegistryThere = spawnSync("npm", ["ping"], { timeout: 20_000 }).status === 0;
const pythonTools = [
  ...(process.env.PATH ?? "").split(delimiter),
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "stint/openapi-python-client/bin"),
].find((folder) => existsSync(join(folder, "openapi-python-client")));
const canRun = (command: string, ...words: readonly string[]) => spawnSync(command, words).status === 0;
const isJavaThere =
  canRun("java", "-version") && canRun("python3", "-c", "import urllib3, six, certifi, dateutil");

/** What the program of each language prints as JSON. */
const EXPECTED = {
  state: "DONE",
  exitCode: 0,
  output: "42\n",
  sites: ["local"],
  refused: "urn:stint:unknownJob",
};

const IN_TYPESCRIPT = `
import { client } from "./made/client.gen.ts";
import { getJob, listSites, readFile, submitJobs } from "./made/sdk.gen.ts";

const [baseUrl = "", token = ""] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: token });
const { data } = await submitJobs({
  body: { executable: "sh", arguments: ["-c", "echo 42"], procs: 1, wallTimeSec: 60 },
  throwOnError: true,
});
const path = { id: data.ids[0] ?? "" };
let job = (await getJob({ path, throwOnError: true })).data;
while (job.endedAt === null) {
  await new Promise<void>((go) => setTimeout(() => go(), 50));
  job = (await getJob({ path, throwOnError: true })).data;
}
const file = await readFile({ path: { ...path, name: job.stdOutput }, parseAs: "text", throwOnError: true });
const sites = (await listSites({ throwOnError: true })).data.items.map(({ name }) => name);
const { error } = await getJob({ path: { id: "zzzz" } });
console.log(JSON.stringify({
  state: job.state, exitCode: job.exitCode, output: file.data, sites, refused: error?.type,
}));

declare const process: { readonly argv: readonly string[] };
`;

const IN_PYTHON = `
import json, sys, time
from made import AuthenticatedClient
from made.api.files import read_file
from made.api.jobs import get_job, submit_jobs
from made.api.sites import list_sites
from made.models import JobSubmission

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
body = JobSubmission(executable="sh", arguments=["-c", "echo 42"], procs=1, wall_time_sec=60)
id = submit_jobs.sync(client=client, body=body).ids[0]
job = get_job.sync(id, client=client)
while job.ended_at is None:
    time.sleep(0.05)
    job = get_job.sync(id, client=client)
output = read_file.sync_detailed(id, job.std_output, client=client).content.decode()
sites = [site.name for site in list_sites.sync(client=client).items]
refused = json.loads(get_job.sync_detailed("zzzz", client=client).content)["type"]
print(json.dumps(dict(state=str(job.state.value if hasattr(job.state, "value") else job.state),
                      exitCode=job.exit_code, output=output, sites=sites, refused=refused)))
`;

const IN_PYTHON_BY_OPENAPI_GENERATOR = `
import json, sys, time
import made
from made.models.job_submission import JobSubmission

settings = made.Configuration(host=sys.argv[1])
settings.access_token = sys.argv[2]
client = made.ApiClient(settings)
jobs = made.JobsApi(client)
body = JobSubmission(executable="sh", arguments=["-c", "echo 42"], procs=1, wall_time_sec=60)
id = jobs.submit_jobs(body).ids[0]
job = jobs.get_job(id)
while job.ended_at is None:
    time.sleep(0.05)
    job = jobs.get_job(id)
output = made.FilesApi(client).read_file(id, job.std_output, _preload_content=False).data.decode()
sites = [site.name for site in made.SitesApi(client).list_sites().items]
try:
    jobs.get_job("zzzz")
except made.ApiException as error:
    refused = json.loads(error.body)["type"]
print(json.dumps(dict(state=job.state, exitCode=job.exit_code, output=output, sites=sites, refused=refused)))
`;

describe("a client generated from the API's document", () => {
  const state = temporaryFolder();
  let broker: LiveBroker;
  let token = "";
  let document = "";
  beforeAll(async () => {
    broker = await startLiveBroker(state);
    token = readFileSync(join(state, "admin.token"), "utf8").trim();
    document = await (await fetch(`${broker.url}/api/v1/openapi.json`)).text();
  });
  afterAll(() => broker.end("SIGTERM"));

  it.skipIf(!isRegistryThere)("in TypeScript type-checks and works (needs the registry)", () => {
    const folder = temporaryFolder();
    const run = (command: string, words: readonly string[]) =>
      execFileSync(command, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    writeFileSync(join(folder, "package.json"), '{"type":"module","private":true}');
    writeFileSync(join(folder, "openapi.json"), document);
    // Else the generator takes one from a folder above.
    writeFileSync(join(folder, "tsconfig.json"), "{}");
    writeFileSync(join(folder, "program.ts"), IN_TYPESCRIPT);
    const wanted = ["@hey-api/openapi-ts@0.95.0", "typescript@5.9.3"];
    run("npm", ["install", ...wanted, "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"]);
    run("node_modules/.bin/openapi-ts", ["-i", "openapi.json", "-o", "made", "--no-log-file"]);
    const strict = ["--strict", "--noEmit", "--skipLibCheck", "--allowImportingTsExtensions"];
    const target = ["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"];
    run("node_modules/.bin/tsc", [...strict, ...target, "--lib", "es2022,dom,dom.iterable", "program.ts"]);
    const loader = join(root, "node_modules/tsx/dist/loader.mjs");
    const out = run(process.execPath, ["--import", loader, "program.ts", broker.url, token]);
    expect(JSON.parse(out)).toEqual(EXPECTED);
  });

  const canMakePython = isRegistryThere && isJavaThere;
  it.skipIf(!canMakePython)("in Python works (needs the registry, Java and four Python modules)", () => {
    const folder = temporaryFolder();
    const run = (command: string, words: readonly string[]) =>
      execFileSync(command, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    writeFileSync(join(folder, "package.json"), '{"private":true}');
    writeFileSync(join(folder, "openapi.json"), asOpenApi30(document));
    writeFileSync(join(folder, "program.py"), IN_PYTHON_BY_OPENAPI_GENERATOR);
    const wanted = "@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2";
    run("npm", ["install", wanted, "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"]);
    const archive = "node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar";
    const parts = "models,modelTests=false,modelDocs=false,apis,apiTests=false,apiDocs=false,supportingFiles";
    const how = ["--additional-properties", "packageName=made", "--global-property", parts];
    run("java", ["-jar", archive, "generate", "-g", "python", "-i", "openapi.json", "-o", ".", ...how]);
    // An operation whose name clashes with another gets a number.
    const ids = [...document.matchAll(/"operationId":"(\w+)"/g)].map(([, id = ""]) => id);
    const methods = ids.map((id) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    const apis = readdirSync(join(folder, "made/api")).map((file) => join(folder, "made/api", file));
    const made = apis.map((file) => readFileSync(file, "utf8")).join("\n");
    const defined = new Set([...made.matchAll(/ def (\w+)\(self/g)].map(([, name]) => name));
    expect(methods.filter((method) => !defined.has(method))).toEqual([]);
    const out = run("python3", ["program.py", broker.url, token]);
    expect(JSON.parse(out)).toEqual(EXPECTED);
  });

  it.skipIf(pythonTools === undefined)("in Python works (needs openapi-python-client)", () => {
    const folder = temporaryFolder();
    const tools = pythonTools ?? "";
    const run = (command: string, words: readonly string[]) =>
      execFileSync(join(tools, command), words, { cwd: folder, encoding: "utf8" });
    writeFileSync(join(folder, "openapi.json"), document);
    writeFileSync(join(folder, "program.py"), IN_PYTHON);
    const words = ["generate", "--path", "openapi.json", "--meta", "none", "--output-path", "made"];
    run("openapi-python-client", words);
    // What it does not understand it leaves out, with a warning.
    const ids = [...document.matchAll(/"operationId":"(\w+)"/g)].map(([, id = ""]) => id);
    const modules = ids.map((id) => `${id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}.py`);
    const made = readdirSync(join(folder, "made/api"), { recursive: true, encoding: "utf8" });
    expect(made.map((path) => basename(path))).toEqual(expect.arrayContaining(modules));
    const out = run("python3", ["program.py", broker.url, token]);
    expect(JSON.parse(out)).toEqual(EXPECTED);
  });
});
