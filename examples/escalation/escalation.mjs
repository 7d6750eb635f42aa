// Provokes every row of the error escalation matrix with agents that answer from a list, and prints what each came to.
// `node examples/escalation/escalation.mjs --wait` also waits for a provider's limit to pass, which takes a minute.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const BATON = path.join(HERE, '../../bin/baton.cjs');
const folder = mkdtempSync(path.join(tmpdir(), 'baton-escalation-'));
const env = { ...process.env, BATON_HOME: path.join(folder, 'home') };
const MINUTE_S = 61;

const said = (action, more = {}) => ({
  answer: { action, evidence_files: [], summary_for_supervisor: `It says ${action}.`, ...more },
});
const done = said('COMPLETED');
const once = (step) => ({ ...step, times: 1 });
const paid = (cost_usd) => said('RETRY', { x_usage: { input_tokens: 10, output_tokens: 1, cost_usd } });

/** What happens, what the agent does, flags, where it ends, and what is done about it then. */
const ROWS = [
  ['answer is no JSON', [{ fail: 'garbage' }], [], 'INTERVENTION_REQUIRED'],
  ['unknown action', [said('DONE')], [], 'INTERVENTION_REQUIRED'],
  ['summary missing', [said('COMPLETED', { summary_for_supervisor: ' ' })], [], 'INTERVENTION_REQUIRED'],
  ['evidence not found, strict', [once(said('COMPLETED', { evidence_files: ['absent'] })), done], [], 'SUCCESS'],
  ['evidence not found, warn', [said('COMPLETED', { evidence_files: ['absent'] })], ['--verify', 'warn'], 'SUCCESS'],
  ['evidence outside', [said('COMPLETED', { evidence_files: ['../out'] })], [], 'INTERVENTION_REQUIRED'],
  ['handoff timeout', [{ fail: 'timeout' }], ['--timeout-seconds', '1'], 'INTERVENTION_REQUIRED'],
  ['network comes back', [{ fail: 'network', times: 2 }, done], [], 'SUCCESS'],
  ['network stays away', [{ fail: 'network' }], [], 'INTERVENTION_REQUIRED'],
  ['short limit', [once({ fail: 'limit', retry_after_s: 1 }), done], [], 'SUCCESS'],
  ['long limit, fallback', [{ fail: 'limit', retry_after_s: 3600 }], ['--fallback', 'other'], 'SUCCESS'],
  ['authentication refused', [{ fail: 'auth' }], [], 'INTERVENTION_REQUIRED'],
  ['agent not found', [], ['--agent', 'missing'], 'INTERVENTION_REQUIRED'],
  ['agent crashes twice', [{ fail: 'exit' }], [], 'INTERVENTION_REQUIRED'],
  [
    'agent answers STUCK',
    [once(said('STUCK')), done],
    [],
    'INTERVENTION_REQUIRED',
    ['resubmit', '--guidance', 'Go on.'],
  ],
  ['sent back three times', [said('RETRY')], [], 'INTERVENTION_REQUIRED'],
  ['cost limit', [once(paid(2)), done], ['--max-cost', '1'], 'HALTED_COST', ['raise', '--max-cost', '5']],
  [
    'time limit',
    [once({ ...done, delay_ms: 1500 }), done],
    ['--max-time', '1s'],
    'HALTED_TIME',
    ['raise', '--max-time', '5m'],
  ],
  ...(process.argv.includes('--wait')
    ? [['long limit passes', [once({ fail: 'limit', retry_after_s: MINUTE_S }), done], [], 'SUCCESS']]
    : []),
];

function baton(...args) {
  const { stdout, stderr } = spawnSync(process.execPath, [BATON, ...args, '--json'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`baton ${args.join(' ')}: ${stdout}${stderr}`);
  }
}

mkdirSync(env.BATON_HOME, { mode: 0o700 });
baton('agent', 'register', 'missing', '--adapter', 'command', '--command', '/no/such/program');
writeFileSync(path.join(folder, 'other.json'), JSON.stringify({ answers: [done] }));
baton('agent', 'register', 'other', '--adapter', 'scripted', '--file', 'other.json');

let wrong = 0;
ROWS.forEach(([what, answers, flags, expected, then], index) => {
  const id = `row-${index + 1}`;
  writeFileSync(path.join(folder, `${id}.json`), JSON.stringify({ answers }));
  baton('agent', 'register', `agent-${id}`, '--adapter', 'scripted', '--file', `${id}.json`);
  const { status, reason } = baton('run', what, '--id', id, '--agent', `agent-${id}`, '--supervisor', 'none', ...flags);
  if (status !== expected) wrong += 1;
  console.log(
    `${what}: ${status}${reason ? ` (${reason})` : ''}${status === expected ? '' : `   EXPECTED ${expected}`}`,
  );
  if (then) {
    baton('job', then[0], id, ...then.slice(1));
    const after = baton('job', 'run', id).status;
    if (after !== 'SUCCESS') wrong += 1;
    console.log(`  ${then.join(' ')}: ${after}`);
  }
  for (const { sequence, state_before, attempt, handoff, response } of baton('job', 'history', id).interactions) {
    const move = `${state_before} -> ${response.new_status}`;
    console.log(
      `  #${sequence} ${handoff}/${attempt} ${response.status.padEnd(7)} ${response.action.padEnd(9)} ${move}`,
    );
  }
  execFileSync(process.execPath, [BATON, 'job', 'replay', id], { cwd: folder, env, stdio: 'pipe' });
});
console.log(`\n${ROWS.length} rows, ${wrong} other than expected; every history replays.`);
process.exitCode = wrong === 0 ? 0 : 1;
