import { isDeepStrictEqual } from 'node:util';
import type { SessionClient } from '../../src/engine/session/session-client.js';
import type { WireEvent } from '../../src/engine/session/session-desk.js';

/**
 * What every transport does alike, as data. `$cwd`, `$token` and `$session` stand for the folder, a token that counts
 * and the session of the last session_configured. `by` names the client; each begins when it is named first.
 */
export type Step = { by?: string } & (
  | { send: { id: string; op: Record<string, unknown> } }
  | { line: string | Uint8Array }
  | { see: Seen }
  | { end: true }
  | { closed: true }
);
type Seen = { id: string; hasSeq?: boolean; msg: { type: string; [field: string]: unknown } };
export type Scenario = { name: string; steps: readonly Step[] };

const text = (words: string) => ({ type: 'user_input', items: [{ type: 'text', text: words }] });
const configure = (id: string): Step => ({ send: { id, op: { type: 'configure_session', cwd: '$cwd' } } });
const configured = (id: string): Step => ({
  see: { id, hasSeq: true, msg: { type: 'session_configured', cwd: '$cwd' } },
});
const see = (id: string, type: string, more: object = {}): Step => ({ see: { id, msg: { type, ...more } } });
const refused = (id: string, code: string): Step => see(id, 'error', { code });
const task = (id: string, message: string): Step[] => [
  see(id, 'task_started'),
  see(id, 'agent_message', { message }),
  see(id, 'task_complete', { last_agent_message: message }),
];
const of = (by: string, ...steps: Step[]): Step[] => steps.map((step) => ({ ...step, by }));

const MIB = 1024 * 1024;
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** Lines that are no message, with what they are answered. `lines`: only where whole lines are sent. */
export const BAD_LINES: readonly { what: string; line: string | Uint8Array; id: string; code: string; lines?: true }[] =
  [
    { what: 'no JSON', line: 'hello', id: '', code: 'SCHEMA_INVALID' },
    { what: 'half an object', line: '{"id":"h","op":', id: '', code: 'SCHEMA_INVALID' },
    { what: 'nothing', line: '', id: '', code: 'MISSING_REQUIRED_INPUT' },
    { what: 'a list', line: '[1]', id: '', code: 'SCHEMA_INVALID', lines: true },
    { what: 'a number', line: '7', id: '', code: 'SCHEMA_INVALID', lines: true },
    { what: 'null', line: 'null', id: '', code: 'SCHEMA_INVALID', lines: true },
    { what: 'two objects', line: '{"id":"1","op":{"type":"interrupt"}} {"id":"2"}', id: '', code: 'SCHEMA_INVALID' },
    { what: 'no id', line: '{"op":{"type":"interrupt"}}', id: '', code: 'MISSING_REQUIRED_INPUT' },
    { what: 'no op', line: '{"id":"n"}', id: 'n', code: 'MISSING_REQUIRED_INPUT', lines: true },
    { what: 'an unknown op', line: '{"id":"u","op":{"type":"fly"}}', id: 'u', code: 'SCHEMA_INVALID' },
    {
      what: 'a field of another kind',
      line: '{"id":"f","op":{"type":"attach","session_id":1}}',
      id: 'f',
      code: 'SCHEMA_INVALID',
    },
    {
      what: 'an id that is a number',
      line: '{"id":7,"op":{"type":"interrupt"}}',
      id: '',
      code: 'SCHEMA_INVALID',
      lines: true,
    },
    {
      what: 'a key twice',
      line: '{"id":"a","id":"b","op":{"type":"interrupt"}}',
      id: '',
      code: 'SCHEMA_INVALID',
      lines: true,
    },
    {
      what: 'a key that reaches prototypes',
      line: '{"id":"p","op":{"type":"interrupt","__proto__":{}}}',
      id: '',
      code: 'SCHEMA_INVALID',
      lines: true,
    },
    {
      what: 'a number that cannot be kept',
      line: '{"id":"i","op":{"type":"attach","session_id":"s","after":1e999}}',
      id: '',
      code: 'SCHEMA_INVALID',
      lines: true,
    },
    {
      what: 'half a character',
      line: '{"id":"\\ud800","op":{"type":"interrupt"}}',
      id: '',
      code: 'SCHEMA_INVALID',
      lines: true,
    },
    {
      what: 'too deep',
      line: `{"id":"d","op":${'['.repeat(100)}${']'.repeat(100)}}`,
      id: '',
      code: 'SCHEMA_INVALID',
      lines: true,
    },
    {
      what: 'a byte order mark',
      line: '\ufeff{"id":"b","op":{"type":"interrupt"}}',
      id: '',
      code: 'SCHEMA_INVALID',
      lines: true,
    },
    {
      what: 'bytes that are no UTF-8',
      line: bytes('{"id":"', [0xff, 0xfe], '"}'),
      id: '',
      code: 'SCHEMA_INVALID',
      lines: true,
    },
    { what: 'a bare CR between objects', line: '{"id":"1"}\r{"id":"2"}', id: '', code: 'SCHEMA_INVALID', lines: true },
    { what: 'a little too much', line: 'x'.repeat(MIB + 1), id: '', code: 'PAYLOAD_TOO_LARGE' },
  ];

/** Where lines are lines, any length is only skipped. */
export const ENDLESS_LINE = { line: 'x'.repeat(10 * MIB), id: '', code: 'PAYLOAD_TOO_LARGE' };

const ODD = 'a\u2028b\u2029c\rd \u{1f600} "quoted" \\ end';

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'configure, two inputs, shutdown',
    steps: [
      configure('c1'),
      configured('c1'),
      { send: { id: 'u1', op: text('one') } },
      ...task('u1', 'one'),
      { send: { id: 'u2', op: text(ODD) } },
      ...task('u2', ODD),
      { send: { id: 's1', op: { type: 'shutdown' } } },
      see('s1', 'shutdown_complete'),
      { closed: true },
    ],
  },
  {
    name: 'the first op must be configure_session; what is refused ends nothing',
    steps: [
      { send: { id: 'u1', op: text('too early') } },
      refused('u1', 'SESSION_NOT_CONFIGURED'),
      { send: { id: 'i1', op: { type: 'interrupt' } } },
      refused('i1', 'SESSION_NOT_CONFIGURED'),
      { send: { id: 'a1', op: { type: 'attach', session_id: 'no-such-session' } } },
      refused('a1', 'SESSION_NOT_FOUND'),
      { send: { id: 'k1', op: { type: 'register_agent', agent: { id: 'x', adapter: 'human' } } } },
      refused('k1', 'NOT_SUPPORTED'),
      { send: { id: 'c0', op: { type: 'configure_session', cwd: '$cwd', client: 7 } } },
      refused('c0', 'SCHEMA_INVALID'),
      configure('c1'),
      configured('c1'),
      { send: { id: 'i2', op: { type: 'interrupt' } } },
      refused('i2', 'NO_TASK'),
      { send: { id: 'e1', op: { type: 'exec_approval', id: 'call-9', decision: 'approved' } } },
      refused('e1', 'APPROVAL_NOT_FOUND'),
      { send: { id: 'u2', op: text('still there') } },
      ...task('u2', 'still there'),
    ],
  },
  {
    name: 'shutdown needs no session',
    steps: [{ send: { id: 's1', op: { type: 'shutdown' } } }, see('s1', 'shutdown_complete'), { closed: true }],
  },
  {
    name: 'two clients of one session see the same; what one alone asked for, it alone is told',
    steps: [
      configure('c1'),
      configured('c1'),
      { send: { id: 'u1', op: text('before') } },
      ...task('u1', 'before'),
      ...of('b', { send: { id: 'a1', op: { type: 'attach', session_id: '$session' } } }),
      ...of('b', { see: { id: 'a1', hasSeq: false, msg: { type: 'session_configured', session_id: '$session' } } }),
      ...of('b', configured('c1'), ...task('u1', 'before')),
      { send: { id: 'h1', op: { type: 'get_history_entry_request', offset: 99 } } },
      { see: { id: 'h1', hasSeq: false, msg: { type: 'get_history_entry_response', offset: 99 } } },
      ...of('b', { send: { id: 'u2', op: text('from b') } }, ...task('u2', 'from b')),
      ...task('u2', 'from b'),
      ...of('b', { send: { id: 's1', op: { type: 'shutdown' } } }, see('s1', 'shutdown_complete'), { closed: true }),
      see('s1', 'shutdown_complete'),
      { closed: true },
    ],
  },
  {
    name: 'configured again the session goes on; taken up elsewhere it is seen from there on',
    steps: [
      configure('c1'),
      configured('c1'),
      { send: { id: 'u1', op: text('old') } },
      ...task('u1', 'old'),
      configure('c2'),
      configured('c2'),
      ...of('b', { send: { id: 'c3', op: { type: 'configure_session', cwd: '$cwd', resume_from: '$session' } } }),
      ...of('b', configured('c3'), { send: { id: 'u2', op: text('new') } }, ...task('u2', 'new')),
      configured('c3'),
      ...task('u2', 'new'),
    ],
  },
];

/** Where one direction can be ended alone. */
export const LAST_WORDS: Scenario = {
  name: 'whoever has sent everything is still told what it is owed',
  steps: [
    configure('c1'),
    { send: { id: 'u1', op: text('last words') } },
    { end: true },
    configured('c1'),
    ...task('u1', 'last words'),
    { closed: true },
  ],
};

/** For ways in that do not show who is there. */
export const STRANGERS: readonly Scenario[] = [
  { name: 'configures at once', steps: [configure('c1'), refused('c1', 'UNAUTHENTICATED'), { closed: true }] },
  {
    name: 'has a token that does not count',
    steps: [
      { send: { id: 't1', op: { type: 'authenticate', token: 'wrong' } } },
      refused('t1', 'UNAUTHENTICATED'),
      { closed: true },
    ],
  },
  { name: 'sends what is no JSON', steps: [{ line: 'hello' }, refused('', 'UNAUTHENTICATED'), { closed: true }] },
  {
    name: 'shuts down',
    steps: [{ send: { id: 's1', op: { type: 'shutdown' } } }, refused('s1', 'UNAUTHENTICATED'), { closed: true }],
  },
];

/** What says who is there. Comes before every scenario but those of strangers. */
export const AUTHENTICATE: readonly Step[] = [
  { send: { id: 't0', op: { type: 'authenticate', token: '$token' } } },
  see('t0', 'authenticated', { name: 'anna', role: 'admin' }),
];

export const badLines = (isLines: boolean): Scenario => ({
  name: 'bad lines are each answered, and the connection stays',
  steps: [
    configure('c1'),
    configured('c1'),
    ...BAD_LINES.filter(({ lines }) => isLines || !lines).flatMap(({ line, id, code }) => [
      { line },
      refused(id, code),
    ]),
    { send: { id: 'u1', op: text('still there') } },
    ...task('u1', 'still there'),
  ],
});

/** What may come in between, depending on the engine and on time. */
const IN_BETWEEN = /_delta$|^(token_count|turn_complete|background_event|warning|agent_reasoning|plan_update)$/;

export type Cast = { open(): Promise<SessionClient>; first: readonly Step[]; cwd: string; token: string };
type Actor = { client: SessionClient; events: AsyncIterator<WireEvent>; lastSeq: number };

/** Plays a scenario; throws with what differs. Returns everything that was seen, by client. */
export async function play({ steps }: Scenario, cast: Cast): Promise<void> {
  const actors = new Map<string, Actor>();
  const known: Record<string, string> = { $cwd: cast.cwd, $token: cast.token };
  try {
    for (const step of steps) {
      const name = step.by ?? 'a';
      let actor = actors.get(name);
      if (!actor) {
        const client = await cast.open();
        actor = { client, events: client.events[Symbol.asyncIterator](), lastSeq: 0 };
        actors.set(name, actor);
        for (const opening of cast.first) await act(actor, opening, known);
      }
      await act(actor, step, known);
    }
  } finally {
    for (const { client } of actors.values()) client.close();
  }
}

async function act(actor: Actor, step: Step, known: Record<string, string>): Promise<void> {
  if ('send' in step) await actor.client.submit(filled(step.send, known));
  else if ('line' in step) await actor.client.sendLine(step.line);
  else if ('end' in step) actor.client.end();
  else if ('closed' in step) await expectEnd(actor);
  else await expectEvent(actor, filled(step.see, known) as Seen, known);
}

async function expectEnd(actor: Actor): Promise<void> {
  const { done, value } = await actor.events.next();
  if (!done) throw new Error(`expected the end of the connection, saw ${JSON.stringify(value)}`);
}

async function expectEvent(actor: Actor, expected: Seen, known: Record<string, string>): Promise<void> {
  for (;;) {
    const { done, value } = await actor.events.next();
    if (done) throw new Error(`expected ${JSON.stringify(expected)}, but the connection ended`);
    inOrder(actor, value);
    if (fits(value, expected)) {
      if (value.msg.type === 'session_configured') known.$session = String(value.msg.session_id);
      return;
    }
    if (!IN_BETWEEN.test(value.msg.type)) {
      throw new Error(`expected ${JSON.stringify(expected)}, saw ${JSON.stringify(value)}`);
    }
  }
}

/** Stored events come in their order, and none twice. */
function inOrder(actor: Actor, { seq }: WireEvent): void {
  if (seq === undefined) return;
  if (seq <= actor.lastSeq) throw new Error(`seq ${seq} came after ${actor.lastSeq}`);
  actor.lastSeq = seq;
}

function fits({ id, seq, msg }: WireEvent, expected: Seen): boolean {
  if (id !== expected.id || (expected.hasSeq !== undefined && expected.hasSeq !== (seq !== undefined))) return false;
  return Object.entries(expected.msg).every(([field, value]) => isDeepStrictEqual(msg[field], value));
}

function filled(value: unknown, known: Record<string, string>): unknown {
  return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? (known[part] ?? part) : part));
}
