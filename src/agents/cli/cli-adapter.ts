import type { Writable } from 'node:stream';
import { type Ask, NO_USAGE, type Verdict, type Wanted } from '../../core/kernel/effect.js';
import type { AskOutcome, Clock, Held } from '../../engine/ports.js';
import { type Adapter, answered, failed } from '../adapter.js';
import type { CliSpec } from '../agent-spec.js';
import { openHook } from '../approvals/open-hook.js';
import { type Judge, Permits } from '../approvals/permit.js';
import type { Access, Metering } from '../metering/metering.js';
import type { Environment } from '../metering/providers.js';
import { agentEnvironment } from '../process/agent-environment.js';
import { liveLog } from '../process/live-log.js';
import { failureOf } from '../process/outcome-of.js';
import { type ProcessOptions, runProcess } from '../process/run-process.js';
import { cliLogin } from './cli-login.js';
import { findCli } from './cli-program.js';
import { type Dialect, needOf, type Said, type Turn, type Voice } from './dialect.js';
import { EventLines } from './event-lines.js';
import { oneLine } from './fields.js';
import { Linger } from './linger.js';
import { promptOf, withVerdict } from './prompt.js';

export type CliOptions = ProcessOptions & {
  clock: Clock;
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
    const login = cliLogin(spec, dialect, options.environment);
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
      try {
        const { outcome, threadLost } = await cli.take(turn);
        if (!threadLost) return outcome;
        cli.log(['cannot go on with its conversation: it begins a new one']);
        const anew = { ...turn, prompt: withVerdict(turn.prompt, ask.verdict), thread: undefined };
        return (await cli.take(anew)).outcome;
      } finally {
        cli.end();
      }
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
  private readonly live: ReturnType<typeof liveLog>;

  constructor(dialect: Dialect, options: CliOptions, occasion: Occasion) {
    this.dialect = dialect;
    this.options = options;
    this.occasion = occasion;
    const { held, ask } = occasion;
    this.live = liveLog({ run: held.run, handoff: ask.key, attempt: ask.attempt }, options.onLog);
  }

  async take(turn: Turn): Promise<Taken> {
    const { answer } = this.dialect;
    const { held, ask } = this.occasion;
    const permits = new Permits({ run: held.run, held: turn.held }, ask, this.options.judge);
    if (!answer) return this.taken(await this.speak(turn, permits, []), undefined);
    let deferred: Wanted | undefined;
    const hook = await openHook(async (event) => {
      const said = await answer(event, permits);
      deferred ??= said.deferred;
      return said.reply;
    });
    try {
      const spoken = await this.speak({ ...turn, hook }, permits, [hook.port]);
      return this.taken(spoken, deferred);
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
    const linger = new Linger(this.options.clock);
    let noted = thread;
    const events = new EventLines((event) => {
      this.log(reader.read(event));
      const { thread: now = noted, answer, failure } = reader.said();
      if (answer !== undefined || failure) linger.begin();
      if (now !== undefined && now !== noted) access.noteThread(now);
      noted = now;
    });
    const writable = [turn.state, ...(turn.login.mode === 'own' ? [turn.login.folder] : [])];
    const ran = await runProcess(
      {
        ...{ held, ask, ports: [...access.ports, ...ports], log: 'own' },
        signal: AbortSignal.any([access.signal, linger.over]),
        stdin: reader.begin ? (to, stop) => reader.begin?.(voiceOf(to, stop)) : stdin,
        rights: { argv, sandbox: turn.spec.sandbox, writable },
        env: { ...agentEnvironment(access.environment, names), ...env },
        onOutput: (chunk) => events.add(chunk),
      },
      this.options,
    );
    events.end();
    linger.end();
    const said = { ...reader.said(), thread: noted };
    if ('outcome' in ran) return { said, ended: ran.outcome, aborted: false, threadLost: false };
    const ended = failureOf(ran.end, ran.stderr);
    // Its reason may be lines away from the last one that it printed.
    const words = `${said.failure?.reason ?? ''}\n${ran.stderr}`;
    const threadLost = turn.thread !== undefined && this.dialect.threadLost.test(words);
    return { said, ended, aborted: ran.end.aborted, threadLost };
  }

  private taken(spoken: Spoken, deferred: Wanted | undefined): Taken {
    const { thread } = spoken.said;
    const outcome = { ...outcomeOf(spoken, deferred), ...(thread !== undefined && { thread }) };
    return { outcome, threadLost: outcome.type === 'failed' && spoken.threadLost };
  }

  log(lines: readonly string[]): void {
    if (lines.length > 0) this.live.write(Buffer.from(`${lines.join('\n')}\n`));
  }

  end(): void {
    this.live.end();
  }
}

/** An end without an answer is none, whatever the exit code says; nor is an answer of one that failed. */
function outcomeOf({ said, ended, aborted }: Spoken, deferred: Wanted | undefined): AskOutcome {
  const { answer, failure, waits, wanted = deferred } = said;
  if (waits && wanted) return { type: 'asks', wanted, usage: NO_USAGE };
  if (failure) return failed(failure.kind, failure.reason);
  // Whoever had said its last word was ended because it did not go.
  if (ended && !(answer !== undefined && aborted)) return ended;
  return answer === undefined ? failed('crash', 'it ended without an answer') : answered(answer);
}

function voiceOf(to: Writable, stop: () => void): Voice {
  to.on('error', () => {}); // it has ended
  return { send: (message) => to.write(`${JSON.stringify(message)}\n`), end: () => to.end(), stop };
}

/** `ended`: why it did not come to a good end. */
type Spoken = { said: Said; ended: AskOutcome | undefined; aborted: boolean; threadLost: boolean };
type Taken = { outcome: AskOutcome; threadLost: boolean };
