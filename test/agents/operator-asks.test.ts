import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { doneResult, planOf, planTask } from '../operator/plans.js';
import { realStage, runs } from './real-stage.js';

const RUN = '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4';
const HOST = 'packages.example.com';
const TASK = planTask('T-1', { agent: 'codex', lock_scope: ['said.txt'] });
/** Asks the way out of the sandbox for a host and keeps what it said. */
const CALLS = [
  `node -e '`,
  'const [, port] = process.env.HTTPS_PROXY.match(/:(\\d+)\\/?$/);',
  'const out = require("net").connect(port, "127.0.0.1");',
  `out.end("CONNECT ${HOST}:443 HTTP/1.1\\r\\n\\r\\n");`,
  'out.on("data", (b) => require("fs").appendFileSync("said.txt", b.toString().slice(9, 12) + "\\n"))',
  `'`,
].join('');

test('a sub-agent that asks for something waits in the inbox; the run ends with 3 and goes on with the answer', {
  timeout: 240_000,
}, async () => {
  const done = { text: JSON.stringify(doneResult(RUN, TASK, 'said.txt')) };
  const again = { when: { prompt: 'outside of the sandbox' }, steps: [runs('codex', CALLS, 'Again, then.'), done] };
  const { stage } = await realStage([again, { steps: [runs('codex', CALLS), done] }]);
  const plan = path.join(stage.folder, 'plan.json');
  writeFileSync(plan, JSON.stringify(planOf(RUN, TASK)));
  const first = await stage.json('operator', 'run', plan);
  expect([first.exit, first.printed.status]).toEqual([3, 'running']);
  const { items } = (await stage.json('inbox')).printed as { items: { item: number }[] };
  expect(items).toMatchObject([
    { run_id: `${RUN}.T-1.1`, kind: 'exec_approval', question: HOST, details: { agent: 'codex', task_id: 'T-1' } },
  ]);
  await stage.ok('answer', String(items[0]?.item), '--approve');
  const second = await stage.json('operator', 'run', RUN);
  expect([second.exit, second.printed.status]).toEqual([0, 'done']);
  expect(stage.git('show', `baton/${RUN}:said.txt`)).toBe('403\n502');
});
