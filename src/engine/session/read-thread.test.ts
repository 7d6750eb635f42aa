import { expect, test } from 'vitest';
import { ORDER } from '../../../test/session/turn-stage.js';
import { nodeHasher } from '../../../test/simulation/node-hasher.js';
import type { NewInput, SessionOrder, ThreadNode } from '../../core/session/session-messages.js';
import { newSession } from '../../core/session/session-state.js';
import { turnRequest } from './read-thread.js';
import { userItem } from './thread-items.js';

type Thread = { nodes?: readonly Partial<ThreadNode>[]; pending?: readonly NewInput[]; head?: number | null };
const TURN = { turn: 1, attempt: 1, compacts: false };

class Store {
  readonly bodies = new Map<string, Uint8Array>();

  keep(value: unknown) {
    const bytes = new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
    const sha256 = nodeHasher.sha256(bytes);
    this.bodies.set(sha256, bytes);
    return { sha256, bytes: bytes.length };
  }

  says(text: string): NewInput {
    return { type: 'items', items: this.keep([{ role: 'user', content: text }]) };
  }

  answer(callId: string, text: string, custom = false): NewInput {
    return { type: 'output', callId, custom, output: this.keep(text) };
  }

  node(changes: Partial<ThreadNode>): ThreadNode {
    return {
      ...{ parent: null, origin: null, responseId: 'r', input: [], output: null, copied: null, outcome: [] },
      ...changes,
    };
  }

  request(
    { nodes = [], pending = [], head = nodes.length - 1 }: Thread,
    order: Partial<SessionOrder> = {},
    compacts = false,
  ) {
    const session = { ...newSession({ ...ORDER, ...order }), nodes: nodes.map((one) => this.node(one)) };
    session.pending = [...pending];
    const sources = {
      state: async () => session,
      body: async (sha256: string) => this.bodies.get(sha256),
      tools: async () => [{ type: 'function', name: 'x' }],
    };
    const facts = { ...TURN, head: head === -1 ? null : head, pending: pending.length, compacts };
    return turnRequest(sources, 'run', facts);
  }
}

const call = (call_id: string) => ({
  id: 'fc',
  type: 'function_call',
  call_id,
  name: 'x',
  arguments: '{}',
  status: 'completed',
});
const reply = (text: string) => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});

test('a thread is walked from its head over its parents, and other branches are left out', async () => {
  const store = new Store();
  const nodes = [
    { input: [store.says('a')], output: store.keep([reply('A')]) },
    { parent: 0, input: [store.says('b')], output: store.keep([reply('B')]) },
    { parent: 0, input: [store.says('c')], output: store.keep([reply('C')]) },
  ];
  const { input } = await store.request({ nodes, pending: [store.says('d')] });
  expect(JSON.stringify(input)).toMatch(/"a".*"A".*"c".*"C".*"d"/);
  expect(JSON.stringify(input)).not.toMatch(/"b"/);
});

test('a thread that runs in a circle is read once', async () => {
  const store = new Store();
  const nodes = [
    { parent: 1, input: [store.says('a')] },
    { parent: 0, input: [store.says('b')] },
  ];
  expect((await store.request({ nodes })).input).toHaveLength(2);
});

test('a call without an output is told as not done, before anything else is said', async () => {
  const store = new Store();
  const nodes = [{ input: [store.says('a')], output: store.keep([call('c1'), call('c2'), reply('So.')]) }];
  const { input } = await store.request({ nodes, pending: [store.answer('c2', 'two'), store.says('b')] });
  expect(input.slice(1)).toEqual([
    { type: 'function_call', call_id: 'c1', name: 'x', arguments: '{}' },
    { type: 'function_call', call_id: 'c2', name: 'x', arguments: '{}' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'So.' }] },
    { type: 'function_call_output', call_id: 'c2', output: 'two' },
    { type: 'function_call_output', call_id: 'c1', output: expect.stringContaining('not done') },
    { role: 'user', content: 'b' },
  ]);
});

test('what a person says to an output comes after it', async () => {
  const store = new Store();
  const nodes = [{ input: [store.says('a')], output: store.keep([call('c1')]) }];
  const output = { ...store.keep('no route to host'), after: 'The user says no.' };
  const { input } = await store.request({ nodes, pending: [{ type: 'output', callId: 'c1', custom: false, output }] });
  expect(input.at(-1)).toMatchObject({ output: 'no route to host\n\nThe user says no.' });
});

test('an output whose call is not to be seen becomes words', async () => {
  const store = new Store();
  const summary = { type: 'items', items: store.keep({ message: 'We looked.' }) } as const;
  const { input } = await store.request({ nodes: [{ input: [summary] }], pending: [store.answer('c1', 'two files')] });
  expect(JSON.stringify(input[0])).toContain('Summary of what was said before: We looked.');
  expect(input[1]).toMatchObject({ role: 'user', content: [{ text: expect.stringMatching(/c1.*\ntwo files/) }] });
});

test('a picture that a call brought is sent as one', async () => {
  const store = new Store();
  const image = 'data:image/png;base64,AAAA';
  const seen = { type: 'output', callId: 'c1', custom: true, output: { ...store.keep(image), image: true } } as const;
  const nodes = [{ output: store.keep([{ ...call('c1'), type: 'custom_tool_call', input: 'x' }]) }];
  const { input } = await store.request({ nodes, pending: [seen] });
  expect(input[1]).toEqual({
    ...{ type: 'custom_tool_call_output', call_id: 'c1', output: [{ type: 'input_image', image_url: image }] },
  });
  const alone = await store.request({ pending: [seen] });
  expect(alone.input[0]).toMatchObject({ role: 'user', content: [{}, { type: 'input_image', image_url: image }] });
});

test('a text that only begins like a picture is sent as a text, unless an earlier release kept a picture so', async () => {
  const store = new Store();
  const text = `data:image/png;base64,${'A'.repeat(9)}\n\n[9 characters left out]`;
  const of = (name: string) => store.request(viewed(name));
  const viewed = (name: string) => {
    return { nodes: [{ output: store.keep([{ ...call('c1'), name }]) }], pending: [store.answer('c1', text)] };
  };
  expect((await of('mcp__shots__take')).input[1]).toMatchObject({ output: text });
  expect((await of('view_image')).input[1]).toMatchObject({ output: [{ type: 'input_image', image_url: text }] });
  const alone = await store.request({ pending: [store.answer('c1', text)] });
  expect(alone.input).toMatchObject([{ content: [{ type: 'input_text' }] }]);
});

test('what a provider would refuse that keeps nothing is left out', async () => {
  const store = new Store();
  const output = store.keep([
    { type: 'reasoning', id: 'r1', summary: [] },
    { type: 'reasoning', id: 'r2', summary: [], encrypted_content: 'gAAA[secret]' },
    { type: 'from_the_future', id: 'x' },
    null,
    'text',
    { type: 'message', content: [] },
  ]);
  expect((await store.request({ nodes: [{ output }] })).input).toEqual([]);
});

test('a tool is named as every provider takes it, whatever the model called it', async () => {
  const store = new Store();
  const names = ['container.exec', 'mcp__files__read', 'wörter 😀', '', 'x'.repeat(80)];
  const output = store.keep([
    ...names.map((name, index) => ({ ...call(`c${index}`), name })),
    { type: 'custom_tool_call', call_id: 'c9', name: 'a.b', input: 'x' },
  ]);
  const { input } = await store.request({ nodes: [{ output }] });
  const sent = input.flatMap((item) => ('name' in item ? [item.name] : []));
  expect(sent).toEqual(['container_exec', 'mcp__files__read', 'w_rter___', 'unnamed', 'x'.repeat(64), 'a_b']);
});

test('what was copied from another session stands before the rest', async () => {
  const store = new Store();
  const old = [
    store.node({ responseId: 'r1', input: [store.says('a')], output: store.keep([reply('A')]) }),
    store.node({ responseId: 'r2', parent: 0, input: [store.says('b')], output: store.keep([reply('B')]) }),
    store.node({ responseId: 'r3', parent: 1, input: [store.says('c')], output: store.keep([reply('C')]) }),
  ];
  const middle = store.node({ responseId: 'r2', copied: store.keep(old) });
  const nodes = [
    { responseId: 'r2', copied: store.keep([middle]) },
    { responseId: 'r4', parent: 0, input: [store.says('d')], output: store.keep([reply('D')]), keptBy: 'model' },
  ];
  const { input } = await store.request({ nodes });
  expect(JSON.stringify(input)).toMatch(/"a".*"A".*"b".*"B".*"d".*"D"/);
  expect(JSON.stringify(input)).not.toContain('"c"');
  const served = await store.request({ nodes: nodes.slice(0, 1), pending: [store.says('e')] }, { history: 'server' });
  expect(served.previousResponseId, 'the other session may have kept its thread to itself').toBe(null);
  expect(served.input).toHaveLength(5);
  const next = await store.request({ nodes, pending: [store.says('e')] }, { history: 'server' });
  expect(next).toMatchObject({ previousResponseId: 'r4', input: [{ content: 'e' }] });
});

test('a summary is asked for without tools, and the largest outputs are left out when the thread is too long', async () => {
  const store = new Store();
  const nodes = [
    { input: [store.says('a')], output: store.keep([call('c1'), call('c2')]) },
    {
      parent: 0,
      input: [store.answer('c1', 'x'.repeat(30_000)), store.answer('c2', 'small')],
      output: store.keep([reply('So.')]),
    },
  ];
  const short = await store.request({ nodes }, { contextWindow: 100_000, history: 'server' }, true);
  expect(short).toMatchObject({ tools: [], previousResponseId: null });
  expect(JSON.stringify(short.input)).toContain('x'.repeat(30_000));
  expect(JSON.stringify(short.input.at(-1))).toContain('Sum up this thread');
  const long = await store.request({ nodes }, { contextWindow: 5_000 }, true);
  const text = JSON.stringify(long.input);
  expect(text).not.toContain('xxx');
  expect(text).toMatch(/characters of output are left out here.*small/);
});

test('when even that is too long, the beginning is left out', async () => {
  const store = new Store();
  const nodes = [{ input: [store.says('y'.repeat(100_000))], output: store.keep([call('c1')]) }];
  const { input } = await store.request({ nodes, pending: [store.says('b')] }, { contextWindow: 5_000 }, true);
  const text = JSON.stringify(input);
  expect(text).not.toContain('yyy');
  expect(text).toMatch(/The beginning of the thread is left out/);
  const calls = input.filter((item) => 'call_id' in item);
  expect(calls, 'a call and its output, or neither').toHaveLength(2);
});

test('of what was left out the model is told that it was', async () => {
  const store = new Store();
  const pending = [{ type: 'left-out', inputs: 2, why: 'full' }, store.says('b')] as const;
  const { input } = await store.request({ pending });
  expect(input).toEqual([
    userItem(expect.stringMatching(/^2 inputs .* left out here: .*window/) as never),
    expect.anything(),
  ]);
});

test('our own instructions come before those of the user', async () => {
  const store = new Store();
  const { instructions } = await store.request({}, { instructions: store.keep('Speak French.') });
  expect(instructions).toMatch(
    /\/home\/me\/app[\s\S]*apply_patch[\s\S]*with_escalated_permissions[\s\S]*Speak French\.$/,
  );
  const full = await store.request(
    {},
    { sandbox: { mode: 'danger-full-access', writableRoots: [], networkAccess: true } },
  );
  expect(full.instructions).toContain('There is no sandbox');
  expect(full.instructions).not.toContain('with_escalated_permissions');
  expect((await store.request({}, { approval: 'never' })).instructions).toContain('Nobody is asked');
});

test('a thread of which a part is lost is not sent', async () => {
  const store = new Store();
  const pending = [{ type: 'items', items: { sha256: 'gone', bytes: 1 } } as const];
  await expect(store.request({ pending })).rejects.toThrow('a part of the thread is not in the store: gone');
});
