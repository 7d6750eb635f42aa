import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WireEvent } from '../../engine/session/session-desk.js';
import { type SessionStyle, SessionView } from './session-view.js';

const EXAMPLE = path.join(import.meta.dirname, '../../../examples/session/events.ndjson');
const EVENTS = readFileSync(EXAMPLE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as WireEvent);
const of = (id: string): WireEvent[] => EVENTS.filter((event) => event.id === id);

const PLAIN: SessionStyle = { width: () => 78, utf8: true, colour: false, streams: true };

function shown(events: readonly WireEvent[], style: Partial<SessionStyle> = {}) {
  const said = { answer: '', progress: '', both: '' };
  const add = (to: 'answer' | 'progress') => (text: string) => {
    said[to] += text;
    said.both += text;
  };
  const view = new SessionView({ answer: add('answer'), progress: add('progress') }, { ...PLAIN, ...style });
  for (const event of events) view.take(event);
  view.rest();
  return said;
}
const message = (text: string): WireEvent => ({ id: 't', seq: 9, msg: { type: 'agent_message', message: text } });

const WHOLE_TASK = `> npm test fails since this morning. Find out why and repair it.
  The picture shows a total that is one cent too low. I should see it fail
  first.
  plan   First see it fail, then repair it.
    ◦ Run the tests
    - Repair the rounding
    - Run the tests again
  ? approve command
      npm test
      folder    /srv/projects/parcel
      where     inside the sandbox
      asked     it is not known to be safe
      bound to  sha256:866c…0c28   exactly this, nothing else
      allowed for this session by kim
  $ npm test   ✗ exit 1 · 1.8s
      ok 1 - one parcel
      not ok 2 - three parcels share a discount
      expected 10, got 9.99
Each share is rou
  ! The stream of the model was cut. It is asked again in 1 second.
  ! it is asked again: what it had begun to say is void
Each share is rounded before the shares are added up, so a cent is lost.
  $ tickets.get_issue {"number":482}   ✓ done
      {"title":"Totals are a cent too low","state":"open"}
  ? approve changes
      M src/rate.js   +1 -1
        @@ -8,3 +8,3 @@
         export function total(shares) {
        -  return shares.map(toCents).reduce(add, 0) / 100;
        +  return toCents(shares.reduce(add, 0)) / 100;
         }
      A test/rounding.test.js   +4 -0
        +import { equal } from 'node:assert/strict';
        +import { total } from '../src/rate.js';
        +
        +equal(total([3.334, 3.334, 3.334]), 10);
      D src/round-shares.js   +0 -1
        -export const roundShares = (shares) => shares.map(Math.round);
      asked     it is not known to be safe
      bound to  sha256:c500…db8b   exactly this, nothing else
      allowed, once, by kim
  ✓ 3 files changed
  $ npm test   ! interrupted
Interrupted. What was done so far is kept.
`;

describe('a task on a terminal', () => {
  test('is shown as it goes: thoughts, plan, question, commands with their end, changes, words', () => {
    expect(shown(of('kim-3')).both).toBe(WHOLE_TASK);
  });

  test('has the words of the model in what is asked for, everything else beside it', () => {
    const { answer, progress } = shown(of('kim-7'));
    expect(answer).toBe(
      'All tests pass. The shares were rounded before they were added up; now the sum\nis rounded once.\n',
    );
    expect(progress).toContain('$ npm test   ✓ exit 0 · 1.8s\n');
  });

  test('says each word once although it is told twice: in pieces, then whole', () => {
    expect(shown(of('kim-7')).both.match(/All tests pass/g)).toHaveLength(1);
  });

  test('shows the rest of a message when pieces of it were missed', () => {
    const piece = (offset: number, delta: string): WireEvent => ({
      id: 't',
      msg: { type: 'agent_message_delta', item_id: 'm', offset, delta },
    });
    const whole: WireEvent = {
      id: 't',
      seq: 2,
      msg: { type: 'agent_message', item_id: 'm', message: 'one two three' },
    };
    expect(shown([piece(0, 'one '), piece(8, 'three'), whole]).both).toBe('one two three\n');
  });

  test('what a person has said is shown as it was typed, of a long text the beginning', () => {
    const begun = (text: string): WireEvent => ({ id: 't', seq: 1, msg: { type: 'task_started', text } });
    expect(shown([begun('One\n\ttwo')]).both).toBe('> One\n      two\n');
    expect(shown([begun('line\n'.repeat(11))]).both).toBe(`> line\n${'  line\n'.repeat(9)}  … 1 more line\n`);
  });

  test('a command that was outlasted by another says again which one it was', () => {
    const begin = (call_id: string): WireEvent => ({
      id: 't',
      seq: 1,
      msg: { type: 'exec_command_begin', call_id, command: ['sleep', call_id], cwd: '/' },
    });
    const end = (call_id: string): WireEvent => ({
      id: 't',
      seq: 2,
      msg: { type: 'exec_command_end', call_id, stdout: '', stderr: '', exit_code: 0 },
    });
    expect(shown([begin('1'), begin('2'), end('1'), end('2')]).both).toBe(
      '  $ sleep 1\n  $ sleep 2\n  $ sleep 1   ✓ exit 0\n  $ sleep 2   ✓ exit 0\n',
    );
  });
});

describe('what a call gave', () => {
  const end = (msg: object): WireEvent => ({
    id: 't',
    seq: 2,
    msg: { type: 'exec_command_end', call_id: 'c', stdout: '', stderr: '', exit_code: 0, ...msg },
  });
  const mcp = (msg: object): WireEvent => ({
    id: 't',
    seq: 2,
    msg: { type: 'mcp_tool_call_end', call_id: 'c', ...msg },
  });
  const numbered = (lines: number) => Array.from({ length: lines }, (_, index) => `line ${index}\n`).join('');

  test('of a long output its end, and how many lines were before', () => {
    expect(shown([end({ stdout: numbered(6) })]).both).toContain('      … 1 line before\n      line 1\n');
    expect(shown([end({ stdout: numbered(7) })]).both).toContain('      … 2 lines before\n      line 2\n');
    expect(shown([end({ stdout: numbered(7), truncated_bytes: 4_096 })]).both).toContain(
      '      … at least 2 lines before; 4,096 bytes are not kept\n      line 2\n',
    );
  });

  test('what it had printed when it was interrupted, and nothing of ours in its place', () => {
    const printed = shown([end({ interrupted: true, stdout: 'so far\n', exit_code: -1 })]).both;
    expect(printed).toBe('  $ c   ! interrupted\n      so far\n');
    expect(shown([end({ interrupted: true, stderr: 'interrupted' })]).both).toBe('  $ c   ! interrupted\n');
  });

  test('the beginning of what a tool gave back, or why it failed', () => {
    const content = [{ type: 'text', text: numbered(6) }, { type: 'image' }];
    expect(shown([mcp({ success: true, result: { content } })]).both).toBe(
      `  $ c   ✓ done\n${numbered(5).replaceAll(/^/gm, '      ').trimEnd()}\n      … 2 lines more\n`,
    );
    expect(shown([mcp({ success: false, result: { error: 'no such ticket' } })]).both).toBe(
      '  $ c   ✗ failed\n      no such ticket\n',
    );
  });
});

describe('while it works', () => {
  const begin: WireEvent = {
    id: 't',
    seq: 1,
    msg: { type: 'exec_command_begin', call_id: 'c', command: ['npm', 'test'], cwd: '/' },
  };
  const prints = (delta: string): WireEvent => ({
    id: 't',
    msg: { type: 'exec_command_output_delta', call_id: 'c', stream: 'stdout', offset: 0, delta },
  });
  const end: WireEvent = {
    id: 't',
    seq: 2,
    msg: { type: 'exec_command_end', call_id: 'c', stdout: '', stderr: '', exit_code: 0 },
  };

  function watched(style: Partial<SessionStyle> = {}) {
    const seen = { kept: '', live: '', nowMs: 0 };
    const keep = (text: string): void => {
      seen.kept += text;
    };
    const show = (lines: readonly string[]): void => {
      seen.live = lines.join('\n');
    };
    const sink = { answer: keep, progress: keep, live: { show, nowMs: () => seen.nowMs } };
    const view = new SessionView(sink, { ...PLAIN, ...style });
    const tickAt = (ms: number): string => {
      seen.nowMs = ms;
      view.tick();
      return seen.live;
    };
    return { view, seen, tickAt };
  }

  test('it is said how long nothing was heard of the model', () => {
    const { view, tickAt } = watched();
    expect(tickAt(15_000)).toBe('  ◦ the model works   15s');
    view.take({ id: 't', seq: 1, msg: { type: 'turn_complete', response_id: 'r' } });
    expect(tickAt(17_000)).toBe('  ◦ the model works   2s');
  });

  test('a command is shown with its time and the last lines of what it prints, and stays as one line', () => {
    const { view, seen, tickAt } = watched();
    view.take(begin);
    view.take(prints('one\ntwo\nthree\n10%\r20%\u001b[2J'));
    expect(tickAt(61_000)).toBe('  $ npm test   ◦ 1m01s\n      three\n      10%\n      20%\ufffd[2J');
    expect(seen.kept).toBe('');
    view.take(end);
    expect(seen.kept).toBe('  $ npm test   ✓ exit 0\n');
    expect(tickAt(62_000)).toBe('  ◦ the model works   1s');
  });

  test('nothing but ASCII is shown where the locale has nothing else', () => {
    expect(watched({ utf8: false }).tickAt(1_000)).toBe('  > the model works   1s');
  });
});

describe('where no terminal is', () => {
  test('the answer is left to whoever asked; what was said on the way is told beside it', () => {
    const { answer, progress } = shown([...of('kim-3'), ...of('kim-7')], { streams: false });
    expect(answer).toBe('');
    expect(progress).toContain('Each share is rounded before');
    expect(progress).not.toContain('All tests pass');
  });

  test('nothing but ASCII is written where the locale has nothing else', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is
    expect(shown(EVENTS, { utf8: false }).both).toMatch(/^[\u0000-\u007f]*$/);
  });
});

describe('text from outside can only be read', () => {
  const EVIL = 'a\u001b[2Jb\u001b]52;c;Zm9v\u0007c\u202ed\re\u009b31mf';
  const events: WireEvent[] = [
    message(EVIL),
    { id: 't', seq: 1, msg: { type: 'task_started', text: EVIL } },
    { id: 't', seq: 1, msg: { type: 'agent_reasoning', text: EVIL } },
    { id: 't', seq: 1, msg: { type: 'plan_update', explanation: EVIL, plan: [{ step: EVIL, status: 'pending' }] } },
    { id: 't', seq: 1, msg: { type: 'exec_command_begin', call_id: EVIL, command: [EVIL], cwd: EVIL } },
    { id: 't', seq: 1, msg: { type: 'exec_command_end', call_id: EVIL, stdout: EVIL, stderr: EVIL, exit_code: 0 } },
    {
      id: 't',
      seq: 1,
      msg: { type: 'exec_approval_request', call_id: 'c', command: ['x', EVIL], cwd: EVIL, reason: EVIL, hash: EVIL },
    },
    {
      id: 't',
      seq: 1,
      msg: { type: 'patch_apply_begin', call_id: 'p', changes: { [EVIL]: { type: 'add', content: EVIL } } },
    },
    { id: 't', seq: 1, msg: { type: 'patch_apply_end', call_id: 'p', success: false, stderr: EVIL } },
    {
      id: 't',
      seq: 1,
      msg: { type: 'mcp_tool_call_begin', call_id: 'm', server: EVIL, tool: EVIL, arguments: { [EVIL]: EVIL } },
    },
    { id: 't', seq: 1, msg: { type: 'warning', message: EVIL } },
    { id: 't', seq: 1, msg: { type: 'approval_resolved', call_id: 'c', decision: 'denied', by: EVIL } },
    { id: 't', seq: 1, msg: { type: 'error', message: EVIL, code: EVIL, hint: EVIL } },
  ];

  test.each(events.map((event) => [event.msg.type, event] as const))('in %s', (_type, event) => {
    const { both } = shown([event]);
    expect(both).not.toBe('');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not come through
    expect(both).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test('in pieces, with a character cut in two', () => {
    const delta = (offset: number, text: string): WireEvent => ({
      id: 't',
      msg: { type: 'agent_message_delta', item_id: 'm', offset, delta: text },
    });
    const { both } = shown([delta(0, '\u001b['), delta(2, '31m \ud83d'), delta(7, '\ude00 end')]);
    expect(both).toBe('\ufffd[31m 😀 end\n');
  });

  test('colours come from here alone', () => {
    const { both } = shown([message('\u001b[31mred')], { colour: true });
    expect(both).not.toContain('\u001b[31m');
  });
});

test('a line of a change that looks like the head of a diff is shown', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n--- gone\n kept\n';
  const event: WireEvent = {
    id: 't',
    seq: 1,
    msg: { type: 'apply_patch_approval_request', call_id: 'p', changes: { x: { type: 'update', unified_diff: diff } } },
  };
  const { both } = shown([event]);
  expect(both).toContain('--- gone');
  expect(both).not.toContain('a/x');
});

test('words that could be misread are listed one by one', () => {
  const event: WireEvent = {
    id: 't',
    seq: 1,
    msg: { type: 'exec_approval_request', call_id: 'c', command: ['bash', '-lc', 'rm -rf a\n b'], cwd: '/srv' },
  };
  expect(shown([event]).both).toContain('[2] "rm -rf a\\n b"');
});
