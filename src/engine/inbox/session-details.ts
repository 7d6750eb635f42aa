import { quoted } from '../../core/policy/rule.js';
import { askedWords } from '../../core/session/asked-words.js';
import type { SessionEvent } from '../../core/session/session-messages.js';
import { type LiveSession, turnOf } from '../../core/session/session-state.js';
import type { EventStore, InboxRow } from '../ports.js';

type Shown = {
  command?: unknown;
  cwd?: unknown;
  changes?: unknown;
  server?: unknown;
  tool?: unknown;
  arguments?: unknown;
};
type Asked = Extract<SessionEvent, { type: 'ApprovalAsked' }>;
type Item = Pick<InboxRow, 'run' | 'key' | 'askedAt'>;

const PAGE = 200;

/** Exactly what a session asks for, or has asked for: the hash binds the answer to it. */
export async function sessionDetails(
  store: Pick<EventStore, 'body' | 'events' | 'run'>,
  { order, title, task }: LiveSession,
  item: Item,
): Promise<Record<string, unknown>> {
  const { mode, networkAccess } = order.sandbox;
  const about = {
    ...{ about: title || order.cwd, session: true, model: order.model, agent: order.agent, turn: task && turnOf(task) },
    ...{ approval_policy: order.approval, sandbox_mode: mode, network_access: networkAccess, session_cwd: order.cwd },
  };
  const asked = await askedFor(store, item);
  if (!asked) return about;
  const { call, kind, hash, where, shown, again } = asked;
  const { command, cwd, changes, server, tool, arguments: given } = await shownOf(store, shown.sha256);
  return {
    ...{ ...about, call_id: call, wants: kind, hash, where, cwd: typeof cwd === 'string' ? cwd : order.cwd },
    ...{ ...askedWords(asked.reason), again },
    ...(kind === 'exec' && { command: commandLine(command), argv: command }),
    ...(kind === 'patch' && { command: Object.keys(changes ?? {}).join('\n'), changes }),
    ...(kind === 'mcp' && {
      command: `${server} ${tool} ${JSON.stringify(given ?? {})}`,
      arguments: { server, tool, arguments: given },
    }),
  };
}

/** The event that asks it. Most are near the end, and events are read forwards: from the last page back. */
async function askedFor(
  store: Pick<EventStore, 'events' | 'run'>,
  { run, key, askedAt }: Item,
): Promise<Asked | undefined> {
  for (let end = (await store.run(run))?.version ?? 0; end > 0; end -= PAGE) {
    const rows = await store.events(run, Math.max(0, end - PAGE), Math.min(PAGE, end));
    for (const { type, data } of rows) {
      if (type !== 'ApprovalAsked') continue;
      const event = { ...JSON.parse(data), type } as Asked;
      if (event.call === key) return event;
    }
    if ((rows[0]?.at ?? '') < askedAt) return undefined;
  }
  return undefined;
}

async function shownOf(store: Pick<EventStore, 'body'>, sha256: string): Promise<Shown> {
  const bytes = await store.body(sha256);
  return bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as Shown) : {};
}

/** As somebody would type it; of a shell that gets one line, that line. */
export function commandLine(command: unknown): string {
  const argv = Array.isArray(command) ? command.map(String) : [];
  const [shell = '', flag = '', line, ...more] = argv;
  const isLine = /(^|\/)(ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && more.length === 0;
  return isLine && line !== undefined ? line : argv.map(quoted).join(' ');
}
