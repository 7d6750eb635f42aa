import os from 'node:os';
import type { Writable } from 'node:stream';
import { type Ask, NO_USAGE, type Verdict, type Wanted } from '../../core/kernel/effect.js';
import type { AskOutcome, Held } from '../../engine/ports.js';
import { type Adapter, answered, failed } from '../adapter.js';
import type { CliSpec } from '../agent-spec.js';
import { openHook } from '../approvals/open-hook.js';
import { type Judge, Permits } from '../approvals/permit.js';
import type { Access, Metering } from '../metering/metering.js';
import type { Environment } from '../metering/providers.js';
import { agentEnvironment } from '../process/agent-environment.js';
import { failureOf } from '../process/outcome-of.js';
import { type ProcessOptions, runProcess } from '../process/run-process.js';
import { findCli } from './cli-program.js';
import { type Dialect, type Login, needOf, type Said, type Turn, type Voice } from './dialect.js';
import { EventLines } from './event-lines.js';
import { oneLine } from './fields.js';
import { promptOf, withVerdict } from './prompt.js';

export type CliOptions = ProcessOptions & {
  environment: Environment;
  envNamesOf?(run: string): Promise<readonly string[]> | readonly string[];
  metering: Pick<Metering, 'during'>;
  /** Whether a sandbox of ours holds what is started. */
  holds(): Promise<boolean>;
  /** Where an agent keeps what it knows of its conversations, for one run. */
  stateOf(run: string, agent: string): string;
  judge: Judge;
  /** Whether any rule would deny it something, or ask for it. */
  strict(of: { run: string; agent: string }): Promise<boolean>;
};

/** A command-line agent: found, logged in, told what to do, and read event by event. */
export function cliAdapter(spec: CliSpec, dialect: Dialect, options: CliOptions): Adapter {
  return async (held, ask, request, signal) => {
    const found = await findCli(dialect, spec.bin, options.environment);
    if ('problem' in found) return failed('not-found', found.problem);
    const login = loginOf(spec, dialect, options.environment);
    if ('problem' in login) return failed('login', login.problem);
    const of = { run: held.run, handoff: ask.key, attempt: ask.attempt };
    return options.metering.during(of, [needOf(dialect, login, spec)], signal, async (access) => {
      const [way] = access.ways;
      if (!way) return failed('auth', `there is no way to the provider of ${dialect.name}`);
      const holds = spec.sandbox !== 'danger-full-access' && (await options.holds());
      const turn: Turn = {
        ...{ spec, program: found.program, login, way, held: holds, hook: undefined },
        prompt: dialect.answer ? promptOf(request) : withVerdict(promptOf(request), ask.verdict),
        asks: !holds || (await options.strict({ run: held.run, agent: ask.agent })),
        state: options.stateOf(held.run, ask.agent),
        thread: ask.thread,
        verdict: ask.verdict,
      };
      const cli = new CliTurn(dialect, options, { held, ask, access });
      if (ask.verdict) cli.log([verdictLine(ask.verdict)]);
      const outcome = await cli.take(turn);
      const lost = ask.thread !== undefined && outcome.type === 'failed' && dialect.threadLost.test(outcome.reason);
      if (!lost) return outcome;
      return cli.take({ ...turn, prompt: withVerdict(turn.prompt, ask.verdict), thread: undefined });
    });
  };
}

export function verdictLine({ decision, what, guidance }: Verdict): string {
  const words = guidance === null ? '' : `: ${oneLine(guidance)}`;
  return `a person ${decision === 'approved' ? 'allows' : 'forbids'} ${oneLine(what)}${words}`;
}

type Occasion = { held: Held; ask: Ask; access: Access };

/** One turn, from its question to everything that came of it. */
class CliTurn {
  private readonly dialect: Dialect;
  private readonly options: CliOptions;
  private readonly occasion: Occasion;

  constructor(dialect: Dialect, options: CliOptions, occasion: Occasion) {
    this.dialect = dialect;
    this.options = options;
    this.occasion = occasion;
  }

  async take(turn: Turn): Promise<AskOutcome> {
    const { answer } = this.dialect;
    const { held, ask } = this.occasion;
    const permits = new Permits(held.run, ask, this.options.judge);
    if (!answer) return this.outcomeOf(await this.speak(turn, permits, []), undefined);
    let deferred: Wanted | undefined;
    const hook = await openHook(async (event) => {
      const said = await answer(event, permits);
      deferred ??= said.deferred;
      return said.reply;
    });
    try {
      const spoken = await this.speak({ ...turn, hook }, permits, [hook.port]);
      return this.outcomeOf(spoken, deferred);
    } finally {
      await hook.close();
    }
  }

  private async speak(turn: Turn, permits: Permits, ports: readonly number[]): Promise<Spoken> {
    const { held, ask, access } = this.occasion;
    const { argv, env, stdin, thread } = this.dialect.invoke(turn);
    if (thread !== undefined) access.noteThread(thread);
    const names = (await this.options.envNamesOf?.(held.run)) ?? [];
    const reader = this.dialect.reader(turn, permits);
    let noted = thread;
    const events = new EventLines((event) => {
      this.log(reader.read(event));
      const { thread: now = noted } = reader.said();
      if (now !== undefined && now !== noted) access.noteThread(now);
      noted = now;
    });
    const writable = [turn.state, ...(turn.login.mode === 'own' ? [turn.login.folder] : [])];
    const ran = await runProcess(
      {
        ...{ held, ask, ports: [...access.ports, ...ports], signal: access.signal, log: 'own' },
        stdin: reader.begin ? (to, stop) => reader.begin?.(voiceOf(to, stop)) : stdin,
        rights: { argv, sandbox: turn.spec.sandbox, writable },
        env: { ...agentEnvironment(access.environment, names), ...env },
        onOutput: (chunk) => events.add(chunk),
      },
      this.options,
    );
    events.end();
    const failure = 'outcome' in ran ? ran.outcome : failureOf(ran.end, ran.stderr);
    return { said: { ...reader.said(), thread: noted }, failure };
  }

  /** An end without an answer is none, whatever the exit code says. */
  private outcomeOf({ said, failure: ended }: Spoken, deferred: Wanted | undefined): AskOutcome {
    const { answer, failure, waits, thread, wanted = deferred } = said;
    const named = thread === undefined ? {} : { thread };
    if (waits && wanted) return { type: 'asks', wanted, usage: NO_USAGE, ...named };
    if (failure) return { ...failed(failure.kind, failure.reason), ...named };
    if (answer !== undefined) return { ...answered(answer), ...named };
    return { ...(ended ?? failed('crash', 'it ended without an answer')), ...named };
  }

  log(lines: readonly string[]): void {
    const { held, ask } = this.occasion;
    const of = { run: held.run, handoff: ask.key, attempt: ask.attempt };
    if (lines.length > 0) this.options.onLog?.({ ...of, text: `${lines.join('\n')}\n` });
  }
}

function voiceOf(to: Writable, stop: () => void): Voice {
  to.on('error', () => {}); // it has ended
  return { send: (message) => to.write(`${JSON.stringify(message)}\n`), end: () => to.end(), stop };
}

type Spoken = { said: Said; failure: AskOutcome | undefined };

type FoundLogin = (Login & { baseUrl?: string }) | { problem: string };

/** Its own when it has one, unless a key is wanted; a key when there is one; else nobody can ask it. */
function loginOf({ login }: CliSpec, dialect: Dialect, environment: Environment): FoundLogin {
  if (login === 'key') return { mode: 'key' };
  const own = dialect.ownLogin(environment, environment.HOME || os.homedir());
  if (own) return { mode: 'own', ...own };
  if (login === 'own') return { problem: `${dialect.name} is not logged in: ${dialect.logIn}` };
  return { mode: 'key' };
}
