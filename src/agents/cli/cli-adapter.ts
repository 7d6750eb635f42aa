import type { Ask } from '../../core/kernel/effect.js';
import type { AskOutcome, Clock, Held } from '../../engine/ports.js';
import type { SpawnEnd } from '../../sandbox/spawn-gated.js';
import { type Adapter, failed } from '../adapter.js';
import type { CliSpec } from '../agent-spec.js';
import type { Access, Metering } from '../metering/metering.js';
import type { Environment } from '../metering/providers.js';
import { agentEnvironment } from '../process/agent-environment.js';
import { liveLog } from '../process/live-log.js';
import { failureOf } from '../process/outcome-of.js';
import { type ProcessOptions, runProcess } from '../process/run-process.js';
import { cliLogin } from './cli-login.js';
import { findCli } from './cli-program.js';
import { type Dialect, needOf, type Said, type Turn } from './dialect.js';
import { EventLines } from './event-lines.js';
import { Linger } from './linger.js';
import { promptOf } from './prompt.js';

export type CliOptions = ProcessOptions & {
  clock: Clock;
  environment: Environment;
  envNamesOf?(run: string): Promise<readonly string[]> | readonly string[];
  metering: Pick<Metering, 'during'>;
  /** Whether a sandbox of ours holds what is started. */
  holds(): Promise<boolean>;
  /** Where an agent keeps what it knows of its conversations, for one run. */
  stateOf(run: string, agent: string): string;
};

/** A command-line agent: found, logged in, told what to do, and read event by event. */
export function cliAdapter(spec: CliSpec, dialect: Dialect, options: CliOptions): Adapter {
  return async (held, ask, request, signal) => {
    const found = await findCli(dialect, spec.bin, options.environment);
    if ('problem' in found) return failed('not-found', found.problem);
    const login = cliLogin(spec, dialect, options.environment);
    if ('problem' in login) return failed('login', login.problem);
    const of = { run: held.run, handoff: ask.key, attempt: ask.attempt };
    return options.metering.during(of, [needOf(dialect, login, spec)], signal, async (access) => {
      const [way] = access.ways;
      if (!way) return failed('auth', `there is no way to the provider of ${dialect.name}`);
      const holds = spec.sandbox !== 'danger-full-access' && (await options.holds());
      const turn: Turn = {
        ...{ spec, program: found.program, prompt: promptOf(request), login, way, held: holds },
        state: options.stateOf(held.run, ask.agent),
        thread: ask.thread,
      };
      const { outcome, threadLost } = await take(held, ask, turn, access);
      if (!threadLost) return outcome;
      return (await take(held, ask, { ...turn, thread: undefined }, access)).outcome;
    });
  };

  async function take(held: Held, ask: Ask, turn: Turn, access: Access): Promise<Taken> {
    const { argv, env, stdin, thread } = dialect.invoke(turn);
    if (thread !== undefined) access.noteThread(thread);
    const names = (await options.envNamesOf?.(held.run)) ?? [];
    const reader = dialect.reader();
    const log = liveLog({ run: held.run, handoff: ask.key, attempt: ask.attempt }, options.onLog);
    const linger = new Linger(options.clock);
    let noted = thread;
    const events = new EventLines((event) => {
      for (const line of reader.read(event)) log.write(Buffer.from(`${line}\n`));
      const { thread: now, answer } = reader.said();
      if (answer !== undefined) linger.begin();
      if (now === undefined || now === noted) return;
      noted = now;
      access.noteThread(now);
    });
    const writable = [turn.state, ...(turn.login.mode === 'own' ? [turn.login.folder] : [])];
    const ran = await runProcess(
      {
        ...{ held, ask, stdin, ports: access.ports, log: 'own' },
        signal: AbortSignal.any([access.signal, linger.over]),
        rights: { argv, sandbox: spec.sandbox, writable },
        env: { ...agentEnvironment(access.environment, names), ...env },
        onOutput: (chunk) => events.add(chunk),
      },
      options,
    );
    events.end();
    linger.end();
    log.end();
    if ('outcome' in ran) return { outcome: ran.outcome, threadLost: false };
    const said = reader.said();
    const outcome = cliOutcome(said, ran);
    // Its reason may be lines away from the last one that it printed.
    const words = `${said.failure?.reason ?? ''}\n${ran.stderr}`;
    const threadLost = turn.thread !== undefined && outcome.type === 'failed' && dialect.threadLost.test(words);
    return { outcome: withThread(outcome, said.thread ?? thread), threadLost };
  }
}

type Taken = { outcome: AskOutcome; threadLost: boolean };

/** An end without an answer is none, whatever the exit code says; nor is an answer of one that failed. */
function cliOutcome({ answer, failure }: Said, { end, stderr }: { end: SpawnEnd; stderr: string }): AskOutcome {
  const ended = failureOf(end, stderr);
  if (failure) return failed(failure.kind, failure.reason);
  // Whoever had said its last word was ended because it did not go.
  const answeredBefore = answer !== undefined && end.aborted;
  if (ended && !answeredBefore) return ended;
  if (answer === undefined) return failed('crash', 'it ended without an answer');
  return { type: 'answered', text: answer, usage: { ...ZERO } };
}

const ZERO = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };

function withThread(outcome: AskOutcome, thread: string | undefined): AskOutcome {
  return thread === undefined ? outcome : { ...outcome, thread };
}
