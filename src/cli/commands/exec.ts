import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import type { WireEvent } from '../../engine/session/session-desk.js';
import type { OpOf } from '../../engine/session/session-orders.js';
import type { SessionPlace } from '../../engine/session/session-place.js';
import type { Parsed } from '../command.js';
import { grouped } from '../grouped-number.js';
import type { Io } from '../io.js';
import { isUtf8 } from '../locale.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { askDecision } from '../session/ask-decision.js';
import { beginSession } from '../session/begin-session.js';
import type { ToneLine } from '../session/change-lines.js';
import { money } from '../session/chat-words.js';
import { inputOf, readPrompt } from '../session/exec-input.js';
import { checkLastMessageFile, writeLastMessage } from '../session/last-message-file.js';
import { LiveLines } from '../session/live-lines.js';
import { atSessions, type SessionCommand } from '../session/opened-sessions.js';
import { type PendingTask, requestWords } from '../session/pending-task.js';
import { raiseOption } from '../session/raise-options.js';
import { refusalIn, SessionLink } from '../session/session-link.js';
import { SessionTrack, type TaskEnd } from '../session/session-track.js';
import { SessionView, type ViewSink } from '../session/session-view.js';
import { type Left, taskSignals } from '../session/task-signals.js';
import { terminalWidth } from '../session/terminal-width.js';
import { TextFlow } from '../session/text-flow.js';
import { untilPersonNeeded } from '../session/until-person-needed.js';

const MICRO_USD = 1_000_000;
const TICK_MS = 1_000;
const EXIT = { complete: 0, failed: 1, waiting: 3, limit: 4, interrupted: 130 } as const;

/** `baton exec`: one task in a session, until it ends or needs a person who is not there. */
export const runExec: SessionCommand = async (parsed, io, open) => {
  const file = lastMessageFile(parsed, io);
  if (file !== undefined) await checkLastMessageFile(file);
  const prompt = await readPrompt(parsed, io);
  return atSessions(open, io, (place) => {
    return new Execution(place, parsed, io).run(prompt === null ? null : inputOf(prompt, place, parsed, io));
  });
};

class Execution {
  private readonly place: SessionPlace;
  private readonly parsed: Parsed;
  private readonly io: Io;
  private readonly track = new SessionTrack();
  private readonly view: SessionView;
  private readonly live: LiveLines | null;
  private readonly link: SessionLink;
  private readonly isTerminal = process.stdout.isTTY === true;
  /** What was under way before this came, until it is told. */
  private pending: PendingTask | null = null;

  constructor(place: SessionPlace, parsed: Parsed, io: Io) {
    this.place = place;
    this.parsed = parsed;
    this.io = io;
    this.link = new SessionLink(
      place.connect((words) => this.say(words)),
      'exec',
    );
    this.live = canOverwrite(io) && !parsed.values.json ? new LiveLines((text) => io.err(text)) : null;
    this.view = new SessionView(sinkOf(io, this.live), {
      ...{ width: terminalWidth, utf8: isUtf8(io.env), colour: io.terminal.err, streams: this.isTerminal },
    });
  }

  /** Null: to go on with what is pending. */
  async run(input: OpOf<'user_input'> | null): Promise<number> {
    const signals = taskSignals(() => {
      this.say('Interrupting. Once more Ctrl-C leaves at once.');
      this.link.send({ type: 'interrupt' });
    });
    const ticking = this.live ? setInterval(() => this.tick(), TICK_MS) : undefined;
    const waits = untilPersonNeeded(this.place, this.track, () => this.io.ask === undefined);
    try {
      const { run, sent, pending } = await beginSession(this.place, this.link, this.parsed, this.io);
      const task = input ? this.link.send(input) : idOf(pending, run);
      this.pending = pending;
      const end = await this.follow(new Set([...sent, task]), task, Promise.race([signals.left, waits.needed]));
      if (end === 'needed') return await this.waiting();
      return typeof end === 'string' ? this.leave(end) : await this.ended(end);
    } finally {
      clearInterval(ticking);
      this.live?.clear();
      waits.stop();
      signals.forget();
      this.link.close();
    }
  }

  /** Until the task ends, or something else does. `ours`: what must not be refused. */
  private async follow(
    ours: ReadonlySet<string>,
    task: string,
    other: Promise<Left | 'needed'>,
  ): Promise<TaskEnd | Left | 'needed'> {
    const events = this.link.events[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([events.next(), other]);
      if (typeof next === 'string') return next;
      if (next.done) return 'left';
      const event = next.value;
      // Without an id it is about a message that could not even be read, and only ours are sent here.
      const isOurs = event.id === '' || ours.has(event.id);
      if (event.msg.type === 'error' && event.seq === undefined && isOurs) throw refusalIn(event.msg);
      this.track.take(event);
      // What ran before is ended by this task, and told by whoever ran it.
      if (this.parsed.values.json || event.seq === undefined || ours.has(event.id)) this.tell(event);
      this.tellPending(event, task);
      if (this.track.end?.id === task) return this.track.end;
      if (this.io.ask && !(await this.decide())) return 'needed';
    }
  }

  /** While a person is asked, the line that they type in is theirs. */
  private tick(): void {
    if (this.track.approvals.length === 0) this.view.tick();
  }

  private tell(event: WireEvent): void {
    if (this.parsed.values.json) this.io.out(`${printableJson(event)}\n`);
    // What this task was asked for is known to whoever has asked.
    else if (event.msg.type !== 'task_started') this.view.take(event);
  }

  /** What is gone on with, or what `task` interrupts: a yes of a person is not thrown away without a word. */
  private tellPending({ id, msg }: WireEvent, task: string): void {
    const { pending } = this;
    if (pending === null) return;
    const isGoneOnWith = pending.id === task && msg.type === 'session_configured';
    const isInterrupted = pending.id === id && pending.id !== task && msg.type === 'error';
    if (!isGoneOnWith && !isInterrupted) return;
    this.pending = null;
    if (!this.parsed.values.json) this.view.lines(isInterrupted ? interruptedLines(pending) : [goesOnLine(pending)]);
    if (isInterrupted) return;
    for (const event of pending.open) {
      this.track.take(event);
      this.tell(event);
    }
  }

  /** False when the person went away. */
  private async decide(): Promise<boolean> {
    for (const approval of this.track.approvals) {
      const decided = await askDecision(approval, this.io, this.view);
      if (decided === null) return false;
      this.link.send({ type: `${approval.kind}_approval`, id: approval.callId, ...decided });
      this.track.take({ id: '', msg: { type: 'approval_resolved', call_id: approval.callId } });
    }
    return true;
  }

  private async waiting(): Promise<number> {
    const { session } = this.track;
    const rows = (await this.place.inbox.open(0, 1_000)).filter(({ run }) => run === session);
    const items = rows.map(({ item }) => item);
    this.view.rest();
    this.say(`${printable(session ?? '')} waits for you. Nothing is spent meanwhile; it survives a reboot.`);
    for (const item of items) this.say(`  baton answer ${item} --approve      or: baton inbox ${item}`);
    this.say(`  then it goes on: baton exec --resume ${printable(session ?? '')}`);
    return EXIT.waiting;
  }

  /** The task has not ended: whoever takes the session up goes on with it. */
  private leave(why: Left): number {
    const { session } = this.track;
    this.view.rest();
    this.say(why === 'terminated' ? 'Told to end (SIGTERM). The task has not ended.' : 'Left. The task has not ended.');
    if (session !== null) this.say(`  it goes on: baton exec --resume ${printable(session)}`);
    return EXIT.interrupted;
  }

  private async ended(end: TaskEnd): Promise<number> {
    const message = end.type === 'complete' ? end.message : null;
    if (message !== null && !this.parsed.values.json && !this.isTerminal) this.answer(message);
    if (!this.parsed.values.json) await this.goOn(end);
    const file = lastMessageFile(this.parsed, this.io);
    if (file !== undefined) await writeLastMessage(file, message ?? '', this.track.session ?? '');
    if (end.type === 'complete') return EXIT.complete;
    if (end.msg.code === 'INTERRUPTED') return EXIT.interrupted;
    return end.msg.code === 'LIMIT_REACHED' ? EXIT.limit : EXIT.failed;
  }

  /** Whole, for whoever reads it by a pipe: its own line breaks, none of ours. */
  private answer(message: string): void {
    const flow = new TextFlow(() => Number.POSITIVE_INFINITY);
    this.io.out(flow.take(message) + flow.end());
  }

  private async goOn(end: TaskEnd): Promise<void> {
    const { session, context } = this.track;
    // Not every cost is an event: the store has all of them.
    const row = await this.place.store.run(session ?? '');
    const isSpent = end.type === 'error' && end.msg.code === 'LIMIT_REACHED';
    const more = isSpent ? await raiseOption(this.place, session ?? '') : '';
    const id = printable(session ?? '');
    const spent = [
      money((row?.costMicroUsd ?? 0) / MICRO_USD),
      ...(context ? [`${grouped(context.tokens)} tokens in its thread`] : []),
    ];
    this.say(`${id} · ${spent.join(' · ')}`);
    this.say(`  go on: baton exec --resume ${id}${more} "…"      or: baton chat --resume ${id}${more}`);
  }

  private say(words: string): void {
    this.view.lines([{ text: words, tone: 'dim' }]);
  }
}

/** On a terminal that can move its cursor. Colours are another matter. */
function canOverwrite({ env }: Io): boolean {
  return process.stderr.isTTY === true && env.TERM !== 'dumb';
}

function sinkOf(io: Io, live: LiveLines | null): ViewSink {
  const [out, err] = [(text: string) => io.out(text), (text: string) => io.err(text)];
  if (!live) return { answer: out, progress: err };
  return {
    answer: (text) => live.keep(text, out),
    progress: (text) => live.keep(text, err),
    live: { show: (lines) => live.show(lines), nowMs: () => performance.now() },
  };
}

function lastMessageFile(parsed: Parsed, io: Io): string | undefined {
  const file = textOption(parsed, 'output-last-message');
  return file === undefined ? undefined : path.resolve(io.cwd, file);
}

function idOf(pending: PendingTask | null, session: string): string {
  if (pending) return pending.id;
  throw new BatonError('USAGE', `nothing is pending in ${session}: give a prompt`);
}

function goesOnLine({ words }: PendingTask): ToneLine {
  return { text: `  goes on with: ${words || 'a summary of the thread'}`, tone: 'dim' };
}

function interruptedLines({ words, allowed, open }: PendingTask): ToneLine[] {
  return [
    { text: `  ! This interrupts what was under way: ${words || 'a summary of the thread'}`, tone: 'note' },
    ...allowed.map((call): ToneLine => ({ text: `    allowed, and not done: ${call}`, tone: 'note' })),
    ...open.map(({ msg }): ToneLine => ({ text: `    asked, and not done: ${requestWords(msg)}`, tone: 'note' })),
  ];
}
