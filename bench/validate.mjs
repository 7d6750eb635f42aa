// Cold start of `baton validate` against an empty script, and validations per second against bare Ajv (and zod).
// Not measured: other platforms, cold disk caches, payloads near the size limit.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { CONTRACTS, check } from '../dist/lib/contracts/index.js';
import { formats } from '../dist/lib/contracts/shared/formats.js';
import { readOptions } from './measure/options.mjs';
import { interleave, median, spread } from './measure/ratio.mjs';
import { assignmentWithZod, envelopeWithZod } from './measure/zod-schemas.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { rounds: ROUNDS } = readOptions(process.argv.slice(2), 21);
const SAMPLES = {
  assignment: 'examples/payloads/assignment/document-minimal.json',
  envelope: 'examples/payloads/envelope/completed-response.json',
};

await coldStart();
for (const name of Object.keys(SAMPLES)) await inProcess(name);

async function coldStart() {
  const folder = mkdtempSync(path.join(tmpdir(), 'baton-bench-'));
  const empty = path.join(folder, 'empty.cjs');
  writeFileSync(empty, '');
  const bin = path.join(ROOT, 'bin/baton.cjs');
  const candidates = {};
  for (const [name, file] of Object.entries(SAMPLES)) {
    candidates[name] = () => timeNode([bin, 'validate', name, path.join(ROOT, file)]);
  }
  timeNode([empty]);
  const { ratios, baselines } = await interleave(ROUNDS, () => timeNode([empty]), candidates);
  console.log(
    `\ncold start, ${ROUNDS} interleaved rounds; an empty script takes ${median(baselines).toFixed(1)} ms here`,
  );
  for (const [name, values] of ratios) {
    const rss = rssMegabytes([bin, 'validate', name, path.join(ROOT, SAMPLES[name])]);
    console.log(
      `  baton validate ${name.padEnd(11)} ${spread(values)} x empty script   ${rss} MB RSS   goal ≤ 1.8 x, < 50 MB`,
    );
  }
  console.log(`  empty script               1.00                   ${rssMegabytes([empty])} MB RSS`);
  rmSync(folder, { recursive: true });
}

/** Extra certificates slow every start on some machines and say nothing about Baton. */
function cleanEnv() {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return env;
}

function timeNode(args) {
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { env: cleanEnv() });
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

function rssMegabytes(args) {
  const preload = path.join(ROOT, 'bench/measure/print-rss.cjs');
  const { stderr } = spawnSync(process.execPath, ['--require', preload, ...args], {
    env: cleanEnv(),
    encoding: 'utf8',
  });
  return (Number(/rss-kb (\d+)/.exec(stderr)[1]) / 1024).toFixed(0);
}

async function inProcess(name) {
  const payload = JSON.parse(readFileSync(path.join(ROOT, SAMPLES[name]), 'utf8'));
  const { file } = JSON.parse(readFileSync(path.join(ROOT, 'schemas/index.json'), 'utf8')).schemas.find(
    (one) => one.name === name,
  );
  const ajv = new Ajv({ strict: false, formats: { ...formats } });
  const bare = ajv.compile(JSON.parse(readFileSync(path.join(ROOT, 'schemas', file), 'utf8')));
  const zod = await { assignment: assignmentWithZod, envelope: envelopeWithZod }[name]();
  const candidates = { 'baton, rules included': () => rate(() => check(CONTRACTS[name], payload).allow) };
  if (zod) candidates.zod = () => rate(() => zod.safeParse(payload).success);
  for (const measure of Object.values(candidates)) measure();
  const { ratios, baselines } = await interleave(ROUNDS, () => rate(() => bare(payload)), candidates);
  console.log(`\n${name} in process; bare Ajv makes ${Math.round(median(baselines) / 1000)}k/s here`);
  for (const [candidate, values] of ratios) {
    const goal = candidate === 'zod' ? 'for comparison' : 'goal ≥ 0.7';
    console.log(`  ${candidate.padEnd(22)} ${spread(values)} x bare Ajv   ${goal}`);
  }
  if (!zod) console.log('  zod                    skipped: test/tools is not installed');
}

function rate(valid) {
  const count = 20_000;
  const started = process.hrtime.bigint();
  for (let turn = 0; turn < count; turn += 1) if (!valid()) throw new Error('the sample must be valid');
  return (count / Number(process.hrtime.bigint() - started)) * 1e9;
}
