import type { Writable } from 'node:stream';
import { type Ask, NO_USAGE, type Verdict, type Wanted } from '../../core/kernel/effect.js';
import type { AskOutcome, Clock, Held } from '../../engine/ports.js';
import { type Adapter, answered, failed } from '../adapter.js';
import type { CliSpec } from '../agent-spec.js';
import { Leaving } from '../approvals/leaving.js';
import { openHook } from '../approvals/open-hook.js';
import { type Judge, openedBy, Permits } from '../approvals/permit.js';
import type { Access, Metering } from '../metering/metering.js';
import type { Environment } from '../metering/providers.js';
import { agentEnvironment } from '../process/agent-environment.js';
import { liveLog } from '../process/live-log.js';
import { failureOf } from '../process/outcome-of.js';
import { type ProcessOptions, runProcess } from '../process/run-process.js';
import { cliLogin } from './cli-login.js';
import { findCli } from './cli-program.js';
import { copyLine } from './copy-line.js';
import { copyThread } from './copy-thread.js';
import { type Dialect, homeOf, needOf, type Said, type Turn, type Voice } from './dialect.js';
import { EventLines } from './event-lines.js';
import { oneLine } from './fields.js';
import { Linger } from './linger.js';
import { inFolder } from './log-lines.js';
import { formOf, promptOf, withVerdict } from './prompt.js';

export type CliOptions = ProcessOptions & {
  clock: Clock;
  environment: Environment;
  envNamesOf?(run: string): Promise<readonly string[]> | readonly string[];
  metering: Pick<Metering, 'during'>;
  /** Whether a sandbox of ours holds what is started. */
  holds(): Promise<boolean>;
  /** Where an agent keeps what it knows of its conversations, for one run. */
  stateOf(run: string, agent: string): string;
  /** Whether a run has asked an agent again since a time. */
  askedSince(of: { run: string; agent: string; sinceMs: number }): Promise<boolean>;
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
        prompt: withVerdict(promptOf(request), goesOnWithout(dialect, ask.verdict) ? undefined : ask.verdict),
        asks: !holds || (await options.strict({ run: held.run, agent: ask.agent })),
        form: formOf(request),
        state: options.stateOf(held.run, ask.agent),
        thread: ask.thread,
        verdict: ask.verdict,
      };
      const workspace = (await options.workspaceOf(held.run)) ?? '';
      const cli = new CliTurn(dialect, options, { held, ask, access, workspace });
      if (ask.verdict) cli.log([verdictLine(ask.verdict)]);
      try {
        turn.thread ??= await cli.copyThread(turn);
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

/** What was deferred goes on by itself; it need not be told what was said to it. */
function goesOnWithout({ answer }: Dialect, verdict: Verdict | undefined): boolean {
  return answer !== undefined && verdict?.kind !== 'network';
}

export function verdictLine({ decision, what, guidance }: Verdict): string {
  const words = guidance === null ? '' : `: ${oneLine(guidance)}`;
  return `a person ${decision === 'approved' ? 'allows' : 'forbids'} ${oneLine(what)}${words}`;
}

type Occasion = { held: Held; ask: Ask; access: Access; workspace: string };

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

  /** The name of the copy it is to go on with; undefined when there is none. */
  async copyThread(turn: Turn): Promise<string | undefined> {
    const { ask, workspace } = this.occasion;
    const { copyOf } = ask;
    if (!copyOf) return undefined;
    const { stateOf, workspaceOf } = this.options;
    const before = (await workspaceOf(copyOf.run)) ?? '';
    const home = homeOf({ ...turn, state: stateOf(copyOf.run, ask.agent) });
    const from = { ...copyOf, home, workspace: before };
    const copied = await copyThread(this.dialect.transcripts, from, { home: homeOf(turn), workspace });
    this.log([copyLine({ run: copyOf.run, ...copied })]);
    return 'thread' in copied ? copied.thread : undefined;
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
    const { held, ask, access, workspace } = this.occasion;
    const { argv, env, stdin, thread } = this.dialect.invoke(turn);
    let noted = thread ?? turn.thread;
    if (noted !== undefined) access.noteThread(noted);
    const names = (await this.options.envNamesOf?.(held.run)) ?? [];
    const reader = this.dialect.reader(turn, permits);
    const linger = new Linger(this.options.clock);
    const asked = new AbortController();
    let wanted: Wanted | undefined;
    const leaving = new Leaving({
      ...{ permits, clock: this.options.clock, workspace, ownHosts: this.dialect.ownHosts },
      onAsks(host) {
        wanted = host;
        asked.abort();
      },
    });
    const events = new EventLines((event) => {
      this.log(reader.read(event));
      const { thread: now = noted, answer, failure, running } = reader.said();
      leaving.heard(running);
      if (answer !== undefined || failure) linger.begin();
      if (now !== undefined && now !== noted) access.noteThread(now);
      noted = now;
    });
    const writable = [turn.state, ...(turn.login.mode === 'own' ? [turn.login.folder] : [])];
    const ran = await runProcess(
      {
        ...{ held, ask, log: 'own' },
        way: {
          ports: [...access.ports, ...ports],
          opened: openedBy(ask.verdict),
          onRefused: (target) => leaving.onRefused(target),
        },
        signal: AbortSignal.any([access.signal, linger.over, asked.signal]),
        stdin: reader.begin ? (to, stop) => reader.begin?.(voiceOf(to, stop)) : stdin,
        rights: { argv, sandbox: turn.spec.sandbox, writable },
        env: { ...agentEnvironment(access.environment, names), ...env },
        onOutput: (chunk) => events.add(chunk),
      },
      this.options,
    );
    events.end();
    linger.end();
    const said = { ...reader.said(), thread: noted, ...(wanted && { wanted, waits: true }) };
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
    const { workspace } = this.occasion;
    if (lines.length > 0) this.live.write(Buffer.from(`${inFolder(lines.join('\n'), workspace)}\n`));
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
