/** Approval policy × sandbox mode × kind of call, judged for real. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { questionOf } from '../../src/core/session/session-effects.js';
import type { ApprovalPolicy, SandboxPolicy } from '../../src/core/session/session-messages.js';
import { SessionStory } from '../../src/core/session/session-story.js';
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
  ['untrusted', 'read-only', 'baAAAA'],
  ['untrusted', 'workspace-write', 'baAaAA'],
  ['untrusted', 'danger-full-access', 'AAAAAA'],
  ['on-failure', 'read-only', 'bbAAAA'],
  ['on-failure', 'workspace-write', 'bbAbAA'],
  ['on-failure', 'danger-full-access', 'BAAAAA'],
  ['on-request', 'read-only', 'bbAAAA'],
  ['on-request', 'workspace-write', 'bbAbAA'],
  ['on-request', 'danger-full-access', 'BAAAAA'],
  ['never', 'read-only', 'bbrrrr'],
  ['never', 'workspace-write', 'bbrbrr'],
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
    expect(found).toBe('BAAbAA');
    stage.sandboxMode = 'bwrap';
  });

  test('that read are put before a person, too, where no sandbox holds or none is wanted; with never none is done', async () => {
    const reads = (): [string, object] => ['exec_command', { command: ['cat', 'a.txt'] }];
    const found: string[] = [];
    for (const [mode, kept] of [
      ['workspace-write', 'none'],
      ['danger-full-access', 'bwrap'],
    ] as const) {
      for (const approval of ['untrusted', 'on-failure', 'on-request', 'never'] as const) {
        stage.set({ mode }, approval);
        stage.sandboxMode = kept;
        found.push(await letterOf(reads()));
      }
    }
    stage.sandboxMode = 'bwrap';
    expect(found.join('')).toBe('AAArAAAB');
  });

  test('[R505] that a person allowed for the session inside of a sandbox are asked for again where there is none', async () => {
    stage.set({ mode: 'workspace-write' }, 'untrusted');
    const given = { command: ['touch', path.join(stage.beside, 'made.txt')] };
    const held = await stage.deed('exec_command', given);
    const story = new SessionStory().configure({ approval: 'untrusted' }).input().answers(1);
    story.judges({ ...held, callId: 'call-1' });
    expect(story.last('ApprovalAsked').where).toBe('inside');
    story.approve('call-1', 'approved_for_session').ends('call-1').answers(1);
    stage.sandboxMode = 'none';
    const free = await stage.deed('exec_command', given);
    stage.sandboxMode = 'bwrap';
    expect(Object.values(held.hashes)).not.toContain(free.hashes.inside);
    story.judges({ ...free, callId: 'call-2' });
    expect(story.last('ApprovalAsked')).toMatchObject({ call: 'call-2', where: 'outside' });
    expect(questionOf(story.last('ApprovalAsked'))).toMatch(/ outside of the sandbox\?$/);
  });
});
