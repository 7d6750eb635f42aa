import { quoted } from '../../core/policy/rule.js';
import type { LiveSession } from '../../core/session/session-state.js';
import type { EventStore } from '../ports.js';

type Shown = {
  command?: unknown;
  cwd?: unknown;
  changes?: unknown;
  server?: unknown;
  tool?: unknown;
  arguments?: unknown;
};

/** Exactly what a session asks for: the hash binds the answer to it. */
export async function sessionDetails(
  store: Pick<EventStore, 'body'>,
  session: LiveSession,
  call: string,
): Promise<Record<string, unknown>> {
  const { order, title, task, turns } = session;
  const about = { about: title || order.cwd, session: true, model: order.model, agent: order.agent, turn: turns + 1 };
  const policy = { approval_policy: order.approval, sandbox_mode: order.sandbox.mode };
  const deed = task?.calls.get(call)?.deed;
  if (!deed) return { ...about, ...policy };
  const { kind, hash, where, shown } = deed;
  const { command, cwd, changes, server, tool, arguments: given } = await shownOf(store, shown.sha256);
  return {
    ...{ ...about, ...policy, call_id: call, hash, where, cwd: typeof cwd === 'string' ? cwd : order.cwd },
    ...(kind === 'exec' && { command: commandLine(command), argv: command }),
    ...(kind === 'patch' && { command: Object.keys(changes ?? {}).join('\n'), changes }),
    ...(kind === 'mcp' && { command: `${server} ${tool} ${JSON.stringify(given ?? {})}` }),
  };
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
