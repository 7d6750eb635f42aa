import type { Ask } from '../../core/kernel/effect.js';
import { NO_USAGE } from '../../core/kernel/effect.js';
import { unreachable } from '../../core/kernel/unreachable.js';
import type { AskOutcome, Clock, Held } from '../../engine/ports.js';
import { findProgram } from '../../sandbox/find-program.js';
import { type Adapter, answered, failed } from '../adapter.js';
import type { AcpSpec } from '../agent-spec.js';
import { Leaving } from '../approvals/leaving.js';
import { openedBy, Permits } from '../approvals/permit.js';
import { type CliOptions, verdictLine } from '../cli/cli-adapter.js';
import { fields } from '../cli/fields.js';
import { inFolder } from '../cli/log-lines.js';
import { promptOf, withVerdict } from '../cli/prompt.js';
import type { Access } from '../metering/metering.js';
import { providerOfKey } from '../metering/providers.js';
import { agentEnvironment } from '../process/agent-environment.js';
import { liveLog } from '../process/live-log.js';
import { failureOf } from '../process/outcome-of.js';
import { runProcess } from '../process/run-process.js';
import { AcpMessages, OUTPUT_BYTES_MAX } from './acp-messages.js';
import { type AcpTurn, type TurnEnd, takeTurn } from './acp-turn.js';
import { AcpUpdates } from './acp-updates.js';
import { knownAcp, type Prepared } from './known-acp.js';

export type AcpOptions = CliOptions & { clock: Clock };

/** So long a program may take to leave after its last word. */
const LEAVE_MS_MAX = 5_000;

/** An agent that speaks the Agent Client Protocol. It works with its own tools, inside our sandbox. */
export function acpAdapter(spec: AcpSpec, options: AcpOptions): Adapter {
  const known = knownAcp(spec);

  return async (held, ask, request, signal) => {
    const found = findProgram(spec.argv[0], { cwd: '/', PATH: options.environment.PATH });
    if ('reason' in found) return failed('not-found', found.reason + (known ? `; install it: ${known.install}` : ''));
    const names = [...spec.env, ...(known?.env ?? []), ...((await options.envNamesOf?.(held.run)) ?? [])];
    const named = names.flatMap((name) => providerOfKey(name) ?? []);
    const providers = new Set([...named, ...(spec.login === 'own' ? [] : (known?.providers ?? []))]);
    const needs = [...providers].map((provider) => ({ provider, optional: true }));
    const of = { run: held.run, handoff: ask.key, attempt: ask.attempt };
    return options.metering.during(of, needs, signal, async (access) => {
      const holds = spec.sandbox !== 'danger-full-access' && (await options.holds());
      const asks = !holds || (await options.strict({ run: held.run, agent: ask.agent }));
      const workspace = (await options.workspaceOf(held.run)) ?? '';
      const state = options.stateOf(held.run, ask.agent);
      const origin = await originOf(ask, options, known?.staysInFolder === true);
      const { environment } = options;
      const prepared = known?.prepare({ spec, ways: access.ways, state, workspace, asks, environment });
      if (prepared && 'problem' in prepared) return failed('auth', prepared.problem);
      const env = { ...agentEnvironment(access.environment, names), ...access.env, ...prepared?.env };
      const started: AcpSpec = { ...spec, argv: [found.file, ...spec.argv.slice(1)] };
      const writable = prepared?.writable ?? [];
      return converse(started, options, { held, ask, access, request, workspace, env, writable, holds, origin });
    });
  };
}

type Call = Pick<AcpTurn, 'origin'> & {
  held: Held;
  ask: Ask;
  access: Access;
  request: Uint8Array;
  workspace: string;
  holds: boolean;
};

/** The conversation of another run to begin with a copy of, or why that cannot be. */
async function originOf(
  { copyOf, thread, agent }: Ask,
  { askedSince }: AcpOptions,
  staysInFolder: boolean,
): Promise<AcpTurn['origin']> {
  if (!copyOf || thread !== undefined) return undefined;
  const { run, untilMs } = copyOf;
  if (staysInFolder) return { run, problem: 'it would work in the folder of that job' };
  const wentOn = await askedSince({ run, agent, sinceMs: untilMs });
  return wentOn ? { run, problem: 'it was gone on with, and can be copied as a whole only' } : copyOf;
}

/** Starts it, talks to it until the end of its turn, and sees it off. */
async function converse(spec: AcpSpec, options: AcpOptions, call: Call & Prepared): Promise<AskOutcome> {
  const { held, ask, access, workspace, env, writable } = call;
  const sdk = await import('@agentclientprotocol/sdk');
  const live = liveLog({ run: held.run, handoff: ask.key, attempt: ask.attempt }, options.onLog);
  const log = (lines: readonly string[]): void =>
    live.write(Buffer.from(inFolder(lines.map((line) => `${line}\n`).join(''), workspace)));
  if (ask.verdict) log([verdictLine(ask.verdict)]);
  const updates = new AcpUpdates();
  const permits = new Permits({ run: held.run, held: call.holds }, ask, options.judge);
  const asked = new AbortController();
  const leaving = new Leaving({
    ...{ permits, clock: options.clock, workspace },
    onAsks: (host) => asked.abort(host),
  });
  let thread: string | undefined;
  const messages = new AcpMessages(({ update }) => {
    // What it tells before was said long ago, in the conversation it goes on with.
    if (thread === undefined) return;
    log(updates.read(fields(update)));
    leaving.heard(updates.running);
  });
  let talk: Promise<TurnEnd> = Promise.resolve({ type: 'gone' });
  let forget = (): void => {};
  const turn = {
    ...{ thread: ask.thread, origin: call.origin, cwd: workspace, model: spec.model, updates, log },
    clock: options.clock,
    hasKey: Object.keys(env).some((name) => name.endsWith('API_KEY')),
    prompt: withVerdict(promptOf(call.request), ask.verdict),
    permits,
    asked: asked.signal,
    signal: access.signal,
    onThread(name: string) {
      thread = name;
      access.noteThread(name);
    },
  };
  const ran = await runProcess(
    {
      ...{ held, ask, env, signal: access.signal, log: 'own' },
      way: {
        ports: access.ports,
        opened: openedBy(ask.verdict),
        onRefused: (target) => leaving.onRefused(target),
      },
      rights: { argv: spec.argv, sandbox: spec.sandbox, writable },
      stdin(to, stop) {
        messages.open(to);
        talk = takeTurn(sdk, messages, turn).finally(() => {
          to.end();
          forget = options.clock.after(LEAVE_MS_MAX, stop);
        });
      },
      onOutput(chunk, stop) {
        messages.add(chunk);
        if (messages.tooMuch || updates.tooLarge) stop();
      },
    },
    options,
  ).finally(() => messages.end());
  const end = await talk;
  forget();
  live.end();
  if ('outcome' in ran) return ran.outcome;
  const failure = failureOf(ran.end, ran.stderr);
  const outcome = messages.tooMuch || updates.tooLarge ? failed('crash', TOO_MUCH) : outcomeOf(end, failure);
  return thread === undefined ? outcome : { ...outcome, thread };
}

const TOO_MUCH = `it printed more than ${OUTPUT_BYTES_MAX} bytes, or an answer that nobody reads; it was ended`;

function outcomeOf(end: TurnEnd, failure: AskOutcome | undefined): AskOutcome {
  switch (end.type) {
    case 'answered':
      return answered(end.text);
    case 'asks':
      return { type: 'asks', wanted: end.wanted, usage: NO_USAGE };
    case 'failed':
      return failed(end.kind, end.reason);
    case 'gone':
      return failure ?? failed('crash', 'it ended without an answer');
    default:
      return unreachable(end);
  }
}
