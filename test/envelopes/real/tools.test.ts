import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EnvelopeStage, type Given, type Sent, sixStages } from './envelope-stage.js';

const plan = (...files: string[]) => ({
  when: { stage: 'plan' },
  answer: { plan_id: 'p', steps: files.map((file) => ({ tool: 'touch', params: { file } })) },
});

/** A tool that writes down what it was given, and a plan that uses it. */
async function touching(...files: string[]) {
  const stage = new EnvelopeStage();
  const log = path.join(stage.folder, 'touched');
  const tool = stage.written('touch.sh', `#!/bin/sh\ncat >>${log}\necho >>${log}\necho '{"ok":true}'\n`);
  chmodSync(tool, 0o755);
  stage.configure({ sandbox: { mode: 'none' }, tools: { touch: { command: [tool], risk: 'write' } } });
  stage.pipeline(sixStages({ tools: ['touch'] }));
  const words = ['process', '--pipeline', 'six', '--agent', stage.bot([plan(...files)])];
  const send = (envelope: Sent) => stage.command(words, envelope);
  const touched = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { stage, send, touched };
}

const yes = (asked: Given): Sent => ({ ...asked, confirmation_response: true });

test('a tool that writes asks first, and names its steps; a yes runs exactly these, once [R279]', async () => {
  const { stage, send, touched } = await touching('a', 'b');
  const asked = await send(stage.fresh());
  expect(asked.exit).toBe(3);
  expect(asked.printed).toMatchObject({
    ...{ confirmation_pending: true, terminated: false, terminal_reason: 'confirmation_required' },
    ...{ current_stage: 'execution', confirmation_id: expect.stringMatching(/^conf_/) },
  });
  expect(asked.printed.confirmation_message).toMatch(/touch.*"a"[^]*touch.*"b"/);
  expect(touched()).toEqual([]);

  const done = await send(yes(asked.printed));
  expect([done.exit, done.printed.terminal_reason]).toEqual([0, 'completed_successfully']);
  expect(touched().map((line) => JSON.parse(line).file)).toEqual(['a', 'b']);
  expect(done.printed.outputs.execution).toMatchObject({ status: 'success', results: [{ step_index: 0 }, { step_index: 1 }] });

  // The same yes again is the same act.
  expect((await send(yes(asked.printed))).printed).toEqual(done.printed);
  const other = await send({ ...done.printed, terminated: false, confirmation_pending: true });
  expect([other.exit, other.printed.code]).toEqual([1, 'INVALID_TRANSITION']);
  expect(touched()).toHaveLength(2);
});

test('a no ends it, and nothing has run; another id answers nothing [R280]', async () => {
  const { stage, send, touched } = await touching('a');
  const { printed: asked } = await send(stage.fresh());
  const wrong = await send({ ...yes(asked), confirmation_id: 'conf_0000000000000000' });
  expect([wrong.exit, wrong.printed.code]).toEqual([1, 'ENVELOPE_MISMATCH']);
  const no = await send({ ...asked, confirmation_response: false });
  expect(no.printed).toMatchObject({ terminated: true, terminal_reason: 'denied_by_policy' });
  const late = await send({ ...no.printed, confirmation_response: true });
  expect([late.exit, late.printed.code]).toEqual([1, 'ENVELOPE_MISMATCH']);
  expect(touched()).toEqual([]);
});

test('a yes to other steps than those that were named is asked for anew', async () => {
  const { stage, send, touched } = await touching('a');
  const { printed: asked } = await send(stage.fresh());
  const steps = [{ tool: 'touch', params: { file: 'the-whole-disk' } }];
  const swapped = await send({ ...yes(asked), outputs: { ...asked.outputs, plan: { plan_id: 'p', steps } } });
  expect(swapped.exit).toBe(3);
  expect(swapped.printed).toMatchObject({ confirmation_pending: true, confirmation_response: null });
  expect(swapped.printed.confirmation_message).toContain('the-whole-disk');
  expect(swapped.printed.confirmation_id).not.toBe(asked.confirmation_id);
  expect(touched()).toEqual([]);
  const old = await send({ ...yes(swapped.printed), confirmation_id: asked.confirmation_id });
  expect(old.printed.code).toBe('ENVELOPE_MISMATCH');
  const done = await send(yes(swapped.printed));
  expect(done.printed.terminal_reason).toBe('completed_successfully');
  expect(touched().map((line) => JSON.parse(line).file)).toEqual(['the-whole-disk']);
});
