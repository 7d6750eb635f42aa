// An agent that speaks the Agent Client Protocol, in one of the ways agents do; the first word says which.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [way = 'answers'] = process.argv.slice(2);
const ANSWER = '{"action":"COMPLETED","evidence_files":[],"summary_for_supervisor":"Done."}';
const COMMAND = { toolCallId: 'c1', kind: 'execute', title: 'a command', rawInput: { command: 'make all' } };
const ONCE = [
  { optionId: 'y', kind: 'allow_once', name: 'Yes' },
  { optionId: 'n', kind: 'reject_once', name: 'No' },
];
const MEGABYTE = 'x'.repeat(1024 * 1024);

const waiting = new Map();
let ids = 0;
let loggedIn = !way.startsWith('login');
let cancel = () => {};
const canceled = new Promise((resolve) => {
  cancel = resolve;
});

const note = (what) => appendFileSync('heard.txt', `${JSON.stringify(what)}\n`);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (fields) => send({ method: 'session/update', params: { sessionId: 's1', update: fields } });
const say = (text, messageId) =>
  update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } });
const ask = (method, params) =>
  new Promise((resolve) => {
    ids += 1;
    waiting.set(`a${ids}`, resolve);
    send({ id: `a${ids}`, method, params });
  });
const permission = (options = ONCE, toolCall = COMMAND) =>
  ask('session/request_permission', { sessionId: 's1', toolCall, options });
const fail = (code, message, data) => Promise.reject({ code, message, data });

/** What each does with a prompt: a stop reason, or nothing for ever. */
const turns = {
  async works() {
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Let me ' } });
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'see.' } });
    say('I build ', 'm1');
    say('it.', 'm1');
    update({ sessionUpdate: 'tool_call', status: 'pending', ...COMMAND });
    update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'in_progress' });
    const content = [{ type: 'content', content: { type: 'text', text: 'built\nall' } }];
    update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed', content });
    update({ sessionUpdate: 'something_new', what: 1 });
    say(ANSWER.slice(0, 20), 'm2');
    say(ANSWER.slice(20), 'm2');
    return 'end_turn';
  },
  async asks() {
    update({ sessionUpdate: 'tool_call', status: 'pending', ...COMMAND });
    const { outcome } = await permission(ONCE, { toolCallId: 'c1' });
    note(outcome);
    if (outcome.outcome === 'cancelled') return canceled.then(() => 'cancelled');
    if (outcome.optionId === 'n') return 'end_turn'; // as some do: they say nothing more
    say(ANSWER);
    return 'end_turn';
  },
  async 'asks-twice'() {
    const answers = Promise.all([permission(), permission(ONCE, { ...COMMAND, rawInput: { command: 'make more' } })]);
    note(await answers);
    return canceled.then(() => 'cancelled');
  },
  async 'asks-again'() {
    for (;;) {
      const { outcome } = await permission();
      note(outcome);
      if (outcome.outcome === 'cancelled') return canceled.then(() => 'cancelled');
    }
  },
  async 'asks-oddly'() {
    note(await permission([{ optionId: 'z', kind: 'allow_maybe', name: 'Hm' }, { kind: 'allow_once' }, null]));
    say(ANSWER);
    return 'end_turn';
  },
  async 'asks-and-dies'() {
    permission();
    setTimeout(() => process.exit(9), 50);
    return new Promise(() => {});
  },
  async 'asks-and-stays'() {
    await permission();
    process.stdin.removeAllListeners();
    return new Promise(() => setInterval(() => {}, 1_000));
  },
  async dies() {
    say('Half of an ans');
    process.stderr.write('out of luck\n');
    process.exit(3);
  },
  silent: () => new Promise(() => setInterval(() => {}, 1_000)),
  async stubborn() {
    process.on('SIGTERM', () => {});
    note('here');
    return turns.silent();
  },
  refuses: async () => 'refusal',
  stops: async () => 'max_tokens',
  mute: async () => 'end_turn',
  errs: () => fail(-32_603, 'Internal error', { details: 'no model' }),
  async floods() {
    for (let megabytes = 0; megabytes < 1_024; megabytes += 1) {
      if (!process.stdout.write(`${MEGABYTE}\n`)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
    say(ANSWER);
    return 'end_turn';
  },
  async rambles() {
    for (let megabytes = 0; megabytes < 64; megabytes += 1) {
      say(MEGABYTE);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return 'end_turn';
  },
  async wants() {
    note(await ask('fs/read_text_file', { sessionId: 's1', path: '/etc/passwd' }));
    say(ANSWER);
    return 'end_turn';
  },
  async lingers() {
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1_000);
    say(ANSWER);
    return 'end_turn';
  },
};

const methods = {
  initialize: () => ({
    protocolVersion: way === 'old' ? 0 : 1,
    agentCapabilities: {
      loadSession: way !== 'forgets',
      ...(way !== 'single' && { sessionCapabilities: { fork: {} } }),
    },
    authMethods: way.endsWith('-key')
      ? [
          { id: 'web', name: 'In a browser' },
          { id: 'gemini-api-key', name: 'With a key' },
        ]
      : [{ id: 'web', name: 'Log in', description: 'Run agent login' }],
  }),
  authenticate({ methodId }) {
    note({ methodId });
    loggedIn = way !== 'login-wrong-key';
    return {};
  },
  'session/new'({ cwd }) {
    if (!loggedIn) return fail(-32_000, 'Authentication required');
    note({ new: cwd });
    return { sessionId: 's1' };
  },
  'session/load'({ sessionId }) {
    if (sessionId !== 's1') return fail(-32_602, 'no such session');
    note({ load: sessionId });
    say('An answer of long ago');
    return null;
  },
  'session/fork'({ sessionId, cwd }) {
    if (sessionId !== 's1') return fail(-32_602, 'no such session');
    note({ fork: sessionId, cwd });
    say('An answer of long ago');
    return { sessionId: 's2' };
  },
  'session/prompt': async ({ prompt }) => {
    note({ prompt: prompt[0].text });
    return { stopReason: await (turns[way] ?? turns.works)() };
  },
};

if (way === 'garbage') {
  process.stdout.write(
    'Welcome!\n[1,2]\n{"jsonrpc":"2.0"}\n{"jsonrpc":"2.0","id":77,"result":1}\nnull\n{"jsonrpc":"2.0","id":\n',
  );
  send({ method: 'nobody/knows', params: {} });
  update({ sessionUpdate: 'agent_message_chunk', content: 7 });
}
if (way !== 'deaf') {
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === 'session/cancel') {
      note('canceled');
      cancel();
    } else if (method !== undefined) {
      const answer = await Promise.resolve(methods[method](params)).then(
        (value) => ({ result: value }),
        (problem) => ({ error: problem }),
      );
      send({ id, ...answer });
    } else waiting.get(id)?.(result ?? error);
  });
} else setInterval(() => {}, 1_000);
