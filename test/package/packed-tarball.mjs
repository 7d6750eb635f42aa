// Packs the project, installs the tarball in an empty folder and uses it there, as a user without the checkout would.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'baton-packed-'));
const quiet = { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' };

try {
  const packed = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], {
    cwd: ROOT,
    ...quiet,
  });
  const [{ filename, size, files }] = JSON.parse(packed.slice(packed.indexOf('[')));
  assert.ok(!files.some(({ path: name }) => name.startsWith('test/') || name.startsWith('src/')), 'sources are packed');
  writeFileSync(path.join(folder, 'package.json'), '{"name":"user","private":true,"type":"module"}');
  execFileSync('npm', ['install', '--ignore-scripts', '--loglevel=error', `./${filename}`], { cwd: folder, ...quiet });

  const bin = path.join(folder, 'node_modules/.bin/baton');
  const run = (args, options = {}) => execFileSync(bin, args, { cwd: folder, ...quiet, ...options });
  const installed = path.join(folder, 'node_modules/baton');
  const example = path.join(installed, 'examples/payloads/assignment/document-minimal.json');
  assert.equal(JSON.parse(run(['validate', 'assignment', example])).allow, true);
  assert.equal(
    JSON.parse(run(['version', '--json'])).version,
    JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version,
  );
  assert.match(run(['schema', 'show', 'envelope']), /GenericEnvelope/);
  assert.match(run(['completion', 'bash']), /baton/);
  const script = path.join(installed, 'scripts/validate-assignment');
  assert.equal(JSON.parse(execFileSync('sh', [script, example], { cwd: folder, ...quiet })).allow, true);

  // The shell parser is wasm that lies beside other packages' code.
  mkdirSync(path.join(folder, '.git'));
  const env = { ...process.env, BATON_HOME: path.join(folder, 'home') };
  const judged = JSON.parse(run(['rule', 'test', "ls 'a b' | wc", '--json'], { env }));
  assert.deepEqual([judged.decision, judged.commands[0].argv], ['allow', ['ls', 'a b']]);

  writeFileSync(
    path.join(folder, 'use.mjs'),
    "import { CONTRACTS, checkText } from 'baton/contracts'; console.log(checkText(CONTRACTS.assignment, '{}').code);",
  );
  assert.equal(execFileSync(process.execPath, ['use.mjs'], { cwd: folder, ...quiet }).trim(), 'MISSING_REQUIRED_INPUT');
  writeFileSync(
    path.join(folder, 'job.mjs'),
    `import { writeFileSync } from 'node:fs';
import { openBaton } from 'baton';
const answer = { action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' };
writeFileSync('script.json', JSON.stringify({ answers: [{ answer }] }));
const baton = await openBaton({ home: 'home' });
const { job_id } = await baton.jobs.create({ prompt: 'Do it.', agent: 'scripted:script.json', activate: true });
const { status } = await baton.jobs.run(job_id);
let events = 0;
for await (const event of baton.events()) events = event.position;
await baton.close();
console.log(status, events > 5);`,
  );
  assert.equal(execFileSync(process.execPath, ['job.mjs'], { cwd: folder, ...quiet }).trim(), 'SUCCESS true');
  writeFileSync(
    path.join(folder, 'model.mjs'),
    "import { startModelServer } from 'baton/testing'; const model = await startModelServer({ turns: [] });" +
      "console.log((await fetch(model.url + '/v1/models')).status); await model.close();",
  );
  assert.equal(execFileSync(process.execPath, ['model.mjs'], { cwd: folder, ...quiet }).trim(), '200');
  writeFileSync(
    path.join(folder, 'ask.mjs'),
    `import { openBridge } from 'baton/bridge';
import { MockAgentInvoker } from 'baton/testing';
const bridge = openBridge({ invoker: new MockAgentInvoker({ helper: 'Here.' }) });
const ask = { phase: 1, phase_name: 'greeting', agent_name: 'helper', prompt: 'Is anybody there? '.repeat(6) };
console.log((await bridge.ask(ask)).value);`,
  );
  assert.equal(execFileSync(process.execPath, ['ask.mjs'], { cwd: folder, ...quiet }).trim(), 'Here.');
  console.log(
    `packed tarball: ${Math.round(size / 1000)} kB, ${files.length} files, installs and runs in an empty folder`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
