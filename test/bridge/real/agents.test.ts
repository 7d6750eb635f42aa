import { expect, test } from 'vitest';
import { BridgeStage } from './bridge-stage.js';

/** Prints what the answer was. */
const TELLS = `
if not RESUME:
    put(STATE, state())
    ask()
said = read(RESPONSE)
print(said["status"], said.get("error_type"), said.get("response"))`;

test('an agent that nobody knows: AGENT_NOT_FOUND, and the orchestrator is resumed [R190]', async () => {
  const stage = new BridgeStage();
  const { exit, out } = await stage.cli('bridge', 'run', '--', ...stage.python(TELLS));
  expect([exit, out]).toEqual([0, 'error AGENT_NOT_FOUND None\n']);
});

test('an agent that is named and unknown: nothing is started [R190]', async () => {
  const stage = new BridgeStage();
  const { exit, out, err } = await stage.run('reviewer=nobody', stage.python(TELLS));
  expect([exit, out, err]).toEqual([1, '', expect.stringContaining('AGENT_NOT_FOUND')]);
});

test('one that fails once is asked again: same id, retry_count 1, twice the time [R191]', async () => {
  const stage = new BridgeStage();
  const once = `[ -f "${stage.folder}/failed" ] || { touch "${stage.folder}/failed"; exit 1; }\nprintf fresh`;
  const agent = await stage.shell('once', once);
  const { exit, out } = await stage.run(agent, stage.python(TELLS));
  expect([exit, out]).toEqual([0, 'success None fresh\n']);
  expect(stage.asked()).toMatchObject([
    { retry_count: 0, timeout_seconds: 120 },
    { retry_count: 1, timeout_seconds: 240 },
  ]);
  expect(new Set(stage.asked().map(({ request_id }) => request_id)).size).toBe(1);
});

test('one that fails twice: INVOCATION_FAILED, and the orchestrator is resumed [R191] [R182]', async () => {
  const stage = new BridgeStage();
  const agent = await stage.shell('never', 'exit 1');
  const { exit, out } = await stage.run(agent, stage.python(TELLS));
  expect([exit, out]).toEqual([0, 'error INVOCATION_FAILED None\n']);
  expect(stage.asked()).toHaveLength(2);
});

test('a profile with required fields: what is no JSON is a PARSE_ERROR, what lacks one a VALIDATION_ERROR [R193] [R194]', async () => {
  const names = 'phase_name="codebase_analysis", agent_name="architectural-reviewer"';
  const text = TELLS.replace('ask()', `ask(${names})`);
  for (const [answer, said] of [
    ['no JSON', 'error PARSE_ERROR no JSON\n'],
    ['{}', 'error VALIDATION_ERROR {}\n'],
  ] as const) {
    const stage = new BridgeStage();
    const { exit, out } = await stage.run(stage.says(answer), stage.python(text), '--profile', 'template-create');
    expect([exit, out]).toEqual([0, said]);
  }
});

test.each([
  [1_500_000, 'success None 1500000\n'],
  [3_000_000, 'error INVOCATION_FAILED 0\n'],
])('an answer of %d characters: %s', async (length, said) => {
  const stage = new BridgeStage();
  const agent = await stage.shell('long', `head -c ${length} /dev/zero | tr '\\0' x`);
  const text = TELLS.replace('said.get("response")', 'len(said.get("response") or "")');
  const { exit, out } = await stage.run(agent, stage.python(text));
  expect([exit, out]).toEqual([0, said]);
});

test('names are mapped one by one, and one name answers for all others', async () => {
  const stage = new BridgeStage();
  const words = ['--agent', `writer=${stage.scripted([{ answer: 'written' }], 'writer')}`];
  const text = TELLS.replace('ask()', 'ask(agent_name="writer")');
  const { out } = await stage.run(stage.says('other'), stage.python(text), ...words);
  expect(out).toBe('success None written\n');
  const second = new BridgeStage();
  expect((await second.run(second.says('other'), second.python(text))).out).toBe('success None other\n');
});
