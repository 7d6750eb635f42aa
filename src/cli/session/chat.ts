import type { ReadStream, WriteStream } from 'node:tty';
import type { RunRow } from '../../engine/ports.js';
import type { WireEvent } from '../../engine/session/session-desk.js';
import type { SessionPlace } from '../../engine/session/session-place.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { isUtf8 } from '../locale.js';
import { inStyle } from '../operator/view-style.js';
import { textOption } from '../option-values.js';
import { printable } from '../printable.js';
import { approvalLines, DECISION_HINT, decisionIn, decisionPrompt, SHOW_ALL } from './approval-lines.js';
import type { ToneLine } from './change-lines.js';
import { ChatScreen } from './chat-screen.js';
import { ChatSession } from './chat-session.js';
import { HELP, headLines, sessionLines, statusLines, usedLine } from './chat-words.js';
import { findSession, sessionsIn } from './find-session.js';
import { raiseOption } from './raise-options.js';
import { hasSettings, standingIn } from './session-options.js';
import type { OpenApproval } from './session-track.js';
import { SessionView } from './session-view.js';
import { terminalWidth } from './terminal-width.js';

const LEFT = 0;
/** What could be meant as a command of ours; a path, or a sentence that begins with one, is for the model. */
const LIKE_A_COMMAND = /^\/\w*$/;
/**
 * What the line to type is for.
 *
 * P1 What was typed for one purpose is never taken for another: whoever changes the purpose takes the draft away first.
 * P2 A decision is for the question that its line names, and no other question is shown below that one.
 * P3 The next question is shown when the answer to the one before has come back, so that it is not told below it.
 */
type Purpose = { type: 'say' } | { type: 'pick' } | { type: 'decide'; callId: string };

const dim = (text: string): ToneLine => ({ text, tone: 'dim' });

/** A person at a terminal in a session: what they type, and what they are shown. */
export class Chat {
  private readonly place: SessionPlace;
  private readonly parsed: Parsed;
  private readonly io: Io;
  private readonly screen: ChatScreen;
  private readonly view: SessionView;
  private session: ChatSession;
  /** Sessions that were listed: the next line picks one. */
  private choices: readonly RunRow[] | null = null;
  /** A list of sessions is on its way: keys are for nothing meanwhile. */
  private isLooking = false;
  /** Of the line that is there; null while none is. */
  private purpose: Purpose | null = null;
  /** What was typed to say when a question came. */
  private draft = '';
  /** The question that was shown last. */
  private shown: string | null = null;
  /** The question whose answer is on its way. */
  private answered: string | null = null;
  private isInterrupting = false;
  private isLeaving = false;
  private isOver = false;
  private wantsToLeave = false;
  private finish: (code: number) => void = () => {};

  constructor(place: SessionPlace, parsed: Parsed, io: Io, terminal: { input: ReadStream; output: WriteStream }) {
    this.place = place;
    this.parsed = parsed;
    this.io = io;
    this.screen = new ChatScreen(terminal.input, terminal.output, {
      onLine: (text) => this.typed(text),
      onInterrupt: () => this.interrupted(),
      onEnd: () => this.leave(),
      onTyping: () => this.typing(),
    });
    const write = (text: string) => this.screen.write(text);
    const style = { width: terminalWidth, utf8: isUtf8(io.env), colour: io.terminal.out, streams: true };
    this.view = new SessionView({ answer: write, progress: write }, style);
    this.session = this.newSession();
  }

  async run(): Promise<number> {
    const ended = new Promise<number>((resolve) => {
      this.finish = resolve;
    });
    const onTerminate = (): void => this.leave();
    process.on('SIGTERM', onTerminate);
    try {
      const resumed = textOption(this.parsed, 'resume');
      const standing = () => standingIn(this.place, this.parsed, this.io);
      const row = resumed === undefined ? null : await findSession(this.place.store, resumed, standing);
      await this.session.begin(row, hasSettings(this.parsed));
      const [prompt] = this.parsed.positionals;
      if (prompt !== undefined) this.session.say(prompt);
      return await ended;
    } finally {
      process.off('SIGTERM', onTerminate);
      this.session.close();
      this.screen.close();
    }
  }

  private newSession(): ChatSession {
    return new ChatSession(this.place, this.parsed, this.io, {
      onEvent: (event) => this.happened(event),
      onReplayed: (events) => this.replayed(events),
      onHistory: (entries) => this.screen.remember(entries),
      onRefused: (problem) => {
        // If it was about an answer, its question is still open.
        this.answered = null;
        this.shown = null;
        this.view.lines([{ text: `Refused: ${printable(problem.message)}. ${problem.code}`, tone: 'bad' }]);
        if (this.session.track.configured === null) this.leave(1);
      },
      onSettled: () => this.settle(),
      onWords: (words) => this.view.lines([{ text: `  ${words}`, tone: 'note' }]),
    });
  }

  private happened(event: WireEvent): void {
    const { track } = this.session;
    if (event.msg.type === 'session_configured') this.view.lines(headLines(track));
    // A question is shown when it is its turn.
    else if (!isQuestion(event)) this.view.take(event);
    if (event.msg.type === 'approval_resolved') this.dropDraftOf(event.msg);
    if (event.msg.code === 'LIMIT_REACHED') void this.sayHowToRaise();
    if (event.msg.type === 'task_complete') this.view.lines([...usedLine(track), dim('')]);
    if (!this.session.isBusy) this.isInterrupting = false;
    this.settle();
    if (this.isLeaving && !this.session.isBusy) this.leave();
  }

  /** What was typed for a question that is answered is for no other, and nothing to say either (P1). */
  private dropDraftOf({ call_id: callId, by, decision }: WireEvent['msg']): void {
    if (this.purpose?.type !== 'decide' || this.purpose.callId !== callId) return;
    this.purpose = null;
    const isTyped = this.screen.takeDraft() !== '';
    this.screen.hide();
    if (!isTyped) return;
    const how =
      decision === 'withdrawn' ? 'Nobody has to answer any more' : `Answered meanwhile by ${printable(String(by))}`;
    this.view.lines([dim(`      ${how}: what you had typed is dropped.`)]);
  }

  private async sayHowToRaise(): Promise<void> {
    const id = this.session.track.session ?? '';
    const option = await raiseOption(this.place, id).catch(() => '');
    this.view.lines([dim(`  to go on: /quit, then baton chat --resume ${printable(id)}${option}`)]);
  }

  /** Of what was before, the last words are enough. */
  private replayed(events: readonly WireEvent[]): void {
    const { approvals } = this.session.track;
    const isOpen = ({ msg }: WireEvent): boolean => approvals.some(({ callId }) => callId === msg.call_id);
    for (const event of events) if (!isQuestion(event) || !isOpen(event)) this.view.take(event);
    this.view.rest();
    if (approvals.length === 0) this.view.lines([dim('  (so far)')]);
  }

  /** The line to type is there when something may be typed. */
  private settle(): void {
    if (this.isLeaving || this.isLooking) return;
    const [approval] = this.session.track.approvals;
    if (this.choices) this.turnTo({ type: 'pick' }, 'number > ');
    else if (this.isAnswering) this.hush();
    else if (approval) this.ask(approval);
    else if (this.session.isBusy) {
      if (this.screen.draft === '') this.hush();
    } else this.turnTo({ type: 'say' }, '> ');
  }

  private ask(approval: OpenApproval): void {
    const { callId, msg } = approval;
    if (this.purpose?.type === 'decide' && this.purpose.callId === callId) return;
    this.putAside();
    if (this.shown !== callId) this.view.take({ id: '', msg });
    this.shown = callId;
    this.turnTo({ type: 'decide', callId }, decisionPrompt(approval, terminalWidth()));
  }

  private turnTo(purpose: Purpose, label: string): void {
    if (this.purpose?.type === purpose.type) return;
    this.putAside();
    this.purpose = purpose;
    this.view.rest();
    const [styled = ''] = inStyle([label], { width: 0, colour: false, utf8: isUtf8(this.io.env) });
    this.screen.prompt(styled);
    if (purpose.type !== 'say') return;
    this.screen.type(this.draft);
    this.draft = '';
  }

  private hush(): void {
    this.putAside();
    this.screen.hide();
  }

  /** What was typed to say can wait; anything else is for nothing but its own line (P1). */
  private putAside(): void {
    const draft = this.screen.takeDraft();
    if (this.purpose === null || this.purpose.type === 'say') this.draft ||= draft;
    this.purpose = null;
  }

  private typing(): boolean {
    if (this.isLeaving || this.isLooking || this.isAnswering) return false;
    if (!this.session.isBusy) return true;
    this.view.lines([dim('  It works: what you send now interrupts it. Ctrl-C only interrupts.')]);
    this.turnTo({ type: 'say' }, '> ');
    return true;
  }

  private typed(text: string): void {
    this.wantsToLeave = false;
    const { purpose } = this;
    this.purpose = null;
    const said = text.trim();
    const isCommand = this.isCommand(said);
    if (said !== '' && !isCommand && purpose && purpose.type !== 'say') this.screen.forgetLast();
    if (isCommand) this.command(said);
    else if (purpose?.type === 'pick') this.picked(said);
    else if (purpose?.type === 'decide') this.decided(purpose.callId, said);
    else if (purpose === null)
      this.draft ||= text; // typed before there was a line: it waits for another Enter
    else if (said !== '') this.session.say(text);
    this.settle();
  }

  private decided(callId: string, said: string): void {
    const approval = this.session.track.approvals.find((open) => open.callId === callId);
    if (!approval) return;
    const decided = decisionIn(said);
    if (decided) {
      this.answered = callId;
      this.session.decide(approval, decided);
    } else if (said.toLowerCase() === SHOW_ALL)
      this.view.lines(approvalLines(approval, Number.POSITIVE_INFINITY), '  ');
    else this.view.lines([DECISION_HINT]);
  }

  private get commands(): Readonly<Record<string, (argument?: string) => void>> {
    return {
      help: () => this.view.lines(HELP, '  '),
      status: () => this.view.lines(statusLines(this.session.track)),
      compact: () => this.session.compact(),
      resume: (argument) => void this.offer(argument),
      new: () => void this.change(null),
      quit: () => this.leave(),
    };
  }

  private isCommand(said: string): boolean {
    const [first = ''] = said.split(/\s/);
    return (first.startsWith('/') && Object.hasOwn(this.commands, first.slice(1))) || LIKE_A_COMMAND.test(said);
  }

  private command(said: string): void {
    const [name = '', argument] = said.slice(1).split(/\s+/);
    this.choices = null;
    // Whatever is said now, an open question is shown again below it (P2).
    this.shown = null;
    const run = Object.hasOwn(this.commands, name) ? this.commands[name] : undefined;
    if (run) run(argument);
    else this.view.lines([dim(`  There is no ${printable(said)}. /help says what there is.`)]);
  }

  private async offer(argument: string | undefined): Promise<void> {
    this.isLooking = true;
    const rows = await this.otherSessions().finally(() => {
      this.isLooking = false;
    });
    if (rows.length === 0) this.view.lines([dim('  There is no other session of this folder.')]);
    else {
      this.choices = rows;
      if (argument !== undefined) this.picked(argument);
      else this.view.lines(sessionLines(rows, Date.now(), terminalWidth()));
    }
    this.settle();
  }

  /** What was last in use comes first. */
  private async otherSessions(): Promise<RunRow[]> {
    const { session, configured } = this.session.track;
    try {
      const rows = await sessionsIn(this.place.store, String(configured?.cwd));
      const others = rows.filter(({ run }) => run !== session);
      return others.sort((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt));
    } catch (failure) {
      this.view.lines([{ text: `  ${printable(String(failure))}`, tone: 'bad' }]);
      return [];
    }
  }

  private picked(said: string): void {
    const rows = this.choices ?? [];
    this.choices = null;
    this.shown = null;
    const row = rows[Number(said) - 1] ?? rows.find(({ run }) => run === said);
    if (row) void this.change(row);
    else if (said !== '') this.view.lines([dim('  None of them: you stay in this one.')]);
  }

  /** Leaves this session as it is and goes to another, or to a new one. */
  private async change(to: RunRow | null): Promise<void> {
    if (!this.isAsked) this.session.interrupt();
    this.session.close();
    this.session = this.newSession();
    this.answered = null;
    this.isInterrupting = false;
    await this.session.begin(to, false);
  }

  private interrupted(): void {
    if (this.session.isBusy) {
      if (this.isInterrupting) {
        this.leave(LEFT, { isAtOnce: true });
        return;
      }
      this.isInterrupting = true;
      this.view.lines([{ text: '^C  Interrupting. Once more Ctrl-C leaves at once.', tone: 'note' }]);
      this.session.interrupt();
      return;
    }
    if (this.screen.takeDraft() !== '') return;
    if (this.wantsToLeave) {
      this.leave();
      return;
    }
    this.wantsToLeave = true;
    this.view.lines([dim('  Once more Ctrl-C leaves.')]);
  }

  /** The answer to the question that was shown last is on its way. */
  private get isAnswering(): boolean {
    return this.session.track.approvals.some(({ callId }) => callId === this.answered);
  }

  /** A question waits for its answer, wherever that comes from. */
  private get isAsked(): boolean {
    return this.session.track.approvals.some(({ callId }) => callId !== this.answered);
  }

  /** A task that runs is interrupted first; one that asks is left as it is, and so is one that cannot be reached. */
  private leave(code: number = LEFT, { isAtOnce = false } = {}): void {
    if (this.isOver) return;
    // Whoever wants to leave twice does not wait.
    const waits = !isAtOnce && !this.isLeaving && this.session.isReached;
    this.isLeaving = true;
    this.screen.hide();
    if (this.session.isBusy && !this.isAsked && waits) {
      this.session.interrupt();
      return;
    }
    this.isOver = true;
    const id = printable(this.session.track.session ?? '');
    if (id !== '') this.view.lines([dim(`${id} ${this.staysHow}`), dim(`  go on: baton chat --resume ${id}`)]);
    this.finish(code);
  }

  private get staysHow(): string {
    if (!this.session.isReached) return 'stays at its server, and whatever runs in it.';
    return this.isAsked ? 'waits for your answer: baton inbox.' : 'keeps everything.';
  }
}

function isQuestion({ msg: { type } }: WireEvent): boolean {
  return type === 'exec_approval_request' || type === 'apply_patch_approval_request';
}
