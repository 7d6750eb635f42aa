/** Approval policy × sandbox mode × kind of call, judged for real. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApprovalPolicy, SandboxPolicy } from '../../src/core/session/session-messages.js';
import { SessionStage } from './session-stage.js';

const SERVER = path.join(import.meta.dirname, 'mcp-server.mjs');
const OUTSIDE = 'outside';

let stage: SessionStage;
beforeAll(() => {
  stage = new SessionStage();
  stage.servers = { small: { command: [process.execPath, SERVER] } };
});
afterAll(() => stage.close());

const patchOf = (file: string): object => ({
  input: `*** Begin Patch\n*** Add File: ${file}\n+new\n*** End Patch`,
});

/** The columns of the table. */
const CALLS: readonly (() => [tool: string, given: object])[] = [
  () => ['exec_command', { command: 'echo hello' }],
  () => ['exec_command', { command: ['touch', 'new.txt'] }],
  () => ['exec_command', { command: ['touch', 'new.txt'], with_escalated_permissions: true }],
  () => ['apply_patch', patchOf('new.txt')],
  () => ['apply_patch', patchOf(path.join(stage.beside, 'new.txt'))],
  () => ['mcp__small__change', { to: 'x' }],
];

/** b: begins inside, B: outside; a, A: a person is asked; r: refused. */
const ROWS: readonly [ApprovalPolicy, SandboxPolicy['mode'], string][] = [
  ['untrusted', 'read-only', 'baAAAa'],
  ['untrusted', 'workspace-write', 'baAaAa'],
  ['untrusted', 'danger-full-access', 'AAAAAA'],
  ['on-failure', 'read-only', 'bbAAAa'],
  ['on-failure', 'workspace-write', 'bbAbAa'],
  ['on-failure', 'danger-full-access', 'BAAAAA'],
  ['on-request', 'read-only', 'bbAAAa'],
  ['on-request', 'workspace-write', 'bbAbAa'],
  ['on-request', 'danger-full-access', 'BAAAAA'],
  ['never', 'read-only', 'bbrrrb'],
  ['never', 'workspace-write', 'bbrbrb'],
  ['never', 'danger-full-access', 'BBBBBB'],
];

async function letterOf([tool, given]: [string, object]): Promise<string> {
  const ruling = stage.ruling(await stage.deed(tool, given));
  const letter = ruling.ruling[0] ?? '';
  return 'where' in ruling && ruling.where === OUTSIDE ? letter.toUpperCase() : letter;
}

describe.runIf(process.platform === 'linux')('calls of a model', () => {
  test.each(ROWS)('[R505] [R509] under %s and %s', async (approval, mode, row) => {
    stage.set({ mode }, approval);
    let found = '';
    for (const call of CALLS) found += await letterOf(call());
    expect(found).toBe(row);
    expect(stage.read('new.txt')).toBeUndefined();
  });

  test('are put before a person where no sandbox holds, unless they touch nothing', async () => {
    stage.set({ mode: 'workspace-write' }, 'on-request');
    stage.sandboxMode = 'none';
    let found = '';
    for (const call of CALLS) found += await letterOf(call());
    expect(found).toBe('baAbAa');
    stage.sandboxMode = 'bwrap';
  });
});
