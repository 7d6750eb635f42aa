/** The hands as they are put together: rules of the journal, servers of the configuration, the store for bodies. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { JUDGE_DEED, type JudgeFacts } from '../../src/core/session/session-effects.js';
import type { CallJudgement } from '../../src/core/session/session-messages.js';
import { sealBody } from '../../src/engine/seal.js';
import { LiveText } from '../../src/engine/session/live-text.js';
import { chooseSandbox } from '../../src/sandbox/choose-sandbox.js';
import { readProject, trustProject } from '../../src/settings/project-file.js';
import { sessionParts } from '../../src/wiring/sessions.js';
import { openHome } from '../../src/wiring.js';
import { Confinements } from '../../src/workspace/confinement.js';
import { fileTable } from '../faults/processes/tables.js';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(import.meta.dirname, '.wired-')));
  mkdirSync(path.join(root, 'repo/.git'), { recursive: true });
  mkdirSync(path.join(root, 'repo/deep'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function open() {
  const folder = path.join(root, 'home');
  const home = await openHome({ home: folder, env: {}, writer: 'main' });
  const gate = { table: fileTable(path.join(root, 'rows')), worker: 'w', scope: 'wired', oneMachine: true };
  const confinements = new Confinements(folder, {
    choose: () => chooseSandbox('auto', process.env.PATH),
    networkOf: async () => [],
    setupRights: async () => 'workspace-write',
    forbiddenScope: async () => 'read-only',
  });
  const environment = { PATH: process.env.PATH };
  const bodies = new Map<string, Uint8Array>();
  home.store.body = async (sha256) => bodies.get(sha256);
  const parts = sessionParts({
    ...{ home, gate, environment, confinements, live: new LiveText(), log: () => () => {} },
  });
  return { home, parts, bodies, folder };
}

test('a rule of the trusted project file holds in every folder of its repository, by whatever name', async () => {
  const { home, parts, bodies, folder } = await open();
  const repo = path.join(root, 'repo');
  symlinkSync(path.join(repo, 'deep'), path.join(root, 'other-name'));
  writeFileSync(path.join(repo, 'baton.json'), JSON.stringify({ rules: [{ decision: 'deny', argv: ['make'] }] }));
  const item = { type: 'function_call', call_id: 'm', name: 'exec_command', arguments: '{"command":["make","it"]}' };
  const { ref, body } = sealBody(home, JSON.stringify([item]));
  bodies.set(body.sha256, body.bytes);
  const ruleIn = async (cwd: string) => {
    const sandbox = { mode: 'workspace-write', writableRoots: [], networkAccess: false } as const;
    const policy = { cwd, approval: 'never', sandbox, tools: null, project: 'p', agent: 'model' } as const;
    const calls = [{ id: 'call-1', callId: 'm', tool: 'exec_command', custom: false }];
    const input: JudgeFacts = { task: 't', output: ref, policy, calls };
    const effect = { type: 'Perform', key: 'judge-1', deed: JUDGE_DEED, input } as const;
    const { result } = await parts.deeds.perform({ run: 'r', epoch: 1 }, effect, new AbortController().signal);
    const [judged] = (result as { judgements: CallJudgement[] }).judgements;
    return judged?.type === 'deed' ? judged.facts.rule : 'answered';
  };
  expect(await ruleIn(path.join(repo, 'deep'))).toBeNull();
  const project = await readProject(folder, repo);
  if (!project) throw new Error('there is no project file');
  await trustProject(folder, project);
  expect(await ruleIn(path.join(repo, 'deep'))).toBe('deny');
  expect(await ruleIn(realpathSync(path.join(root, 'other-name')))).toBe('deny');
  // A session has its folder without links: one that is there now was put there since.
  expect(await ruleIn(path.join(root, 'other-name'))).toBe('answered');
  await parts.close();
  await home.close();
});

test('a session is offered the tools it may use; those of servers only on behalf of a run', async () => {
  const { home, parts } = await open();
  const names = async (tools: readonly string[] | null) =>
    (await parts.tools({ tools })).map((one) => (one as { name: string }).name);
  expect(await names(null)).toEqual(['exec_command', 'apply_patch', 'update_plan', 'view_image']);
  expect(await names(['view_image', 'unknown'])).toEqual(['view_image']);
  expect(await parts.tools({ tools: null }, 'no-such-run')).toHaveLength(4);
  await parts.close();
  await home.close();
});
