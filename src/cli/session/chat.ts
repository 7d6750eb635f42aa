import type { ReadStream, WriteStream } from 'node:tty';
import type { RunRow } from '../../engine/ports.js';
import type { WireEvent } from '../../engine/session/session-desk.js';
import type { SessionPlace } from '../../engine/session/session-place.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { isUtf8 } from '../locale.js';
import { textOption } from '../option-values.js';
import { printable } from '../printable.js';
import { approvalLines, DECISIONS, decisionWords, isDecisionKey } from './approval-lines.js';
import type { ToneLine } from './change-lines.js';
import { ChatScreen } from './chat-screen.js';
import { ChatSession } from './chat-session.js';
import { HELP, headLines, sessionLines, statusLines, usedLine } from './chat-words.js';
import { findSession, sessionsIn } from './find-session.js';
import { raiseOption } from './raise-options.js';
import { hasSettings, standingIn } from './session-options.js';
import { SessionView } from './session-view.js';
import { terminalWidth } from './terminal-width.js';

const LEFT = 0;
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
  private draft = '';
  private asked: string | null = null;
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
    else this.view.take(event);
    if (event.msg.code === 'LIMIT_REACHED') void this.sayHowToRaise();
    if (event.msg.type === 'task_complete') this.view.lines([...usedLine(track), dim('')]);
    this.settle();
    if (this.isLeaving && !this.session.isBusy) this.leave();
  }

  private async sayHowToRaise(): Promise<void> {
    const id = this.session.track.session ?? '';
    const option = await raiseOption(this.place, id).catch(() => '');
    this.view.lines([dim(`  to go on: /quit, then baton chat --resume ${printable(id)}${option}`)]);
  }

  /** Of what was before, the last words are enough. */
  private replayed(events: readonly WireEvent[]): void {
    for (const event of events) this.view.take(event);
    this.view.rest();
    if (this.session.track.approvals.length === 0) this.view.lines([dim('  (so far)')]);
  }

  /** The line to type is there when something may be typed. */
  private settle(): void {
    if (this.isLeaving) return;
    const [approval] = this.session.track.approvals;
    if (approval) {
      if (this.asked === approval.callId) return;
      this.asked = approval.callId;
      this.draft ||= this.screen.takeDraft();
      this.view.rest();
      this.screen.prompt(`      ${decisionWords(approval.kind)} > `);
      return;
    }
    this.asked = null;
    if (this.session.isBusy) {
      if (this.screen.draft === '') this.screen.hide();
      return;
    }
    this.view.rest();
    this.screen.prompt(this.choices ? 'number > ' : '> ');
    if (this.draft !== '') this.screen.type(this.draft);
    this.draft = '';
  }

  private typing(): void {
    if (this.isLeaving || !this.session.isBusy) return;
    this.view.lines([dim('  It works: what you send now interrupts it. Ctrl-C only interrupts.')]);
    this.screen.prompt('> ');
  }

  private typed(text: string): void {
    this.wantsToLeave = false;
    const said = text.trim();
    const [approval] = this.session.track.approvals;
    const isDecision = approval !== undefined && this.asked !== null && !said.startsWith('/');
    if (said !== '' && (isDecision || this.choices !== null)) this.screen.forgetLast();
    if (isDecision) this.decided(said.toLowerCase());
    else if (this.choices !== null) this.picked(said);
    else if (said.startsWith('/')) this.command(said);
    else if (said !== '') this.session.say(text);
    this.settle();
  }

  private decided(said: string): void {
    const [approval] = this.session.track.approvals;
    this.asked = null;
    if (!approval) return;
    if (said === 'v') this.view.lines(approvalLines(approval, Number.POSITIVE_INFINITY), '  ');
    else if (isDecisionKey(said)) this.session.decide(approval, DECISIONS[said].decision);
    else this.view.lines([dim('      Type a, s, d or x, then Enter.')]);
  }

  private command(said: string): void {
    const [name, argument] = said.slice(1).split(/\s+/);
    const commands: Readonly<Record<string, () => void>> = {
      help: () => this.view.lines(HELP, '  '),
      status: () => this.view.lines(statusLines(this.session.track)),
      compact: () => this.session.compact(),
      resume: () => void this.offer(argument),
      new: () => void this.change(null),
      quit: () => this.leave(),
    };
    const run = Object.hasOwn(commands, name ?? '') ? commands[name ?? ''] : undefined;
    if (run) run();
    else this.view.lines([dim(`  There is no ${printable(said)}. /help says what there is.`)]);
  }

  private async offer(argument: string | undefined): Promise<void> {
    const cwd = this.session.track.configured?.cwd;
    const rows = (await sessionsIn(this.place.store, String(cwd))).filter(
      ({ run }) => run !== this.session.track.session,
    );
    if (rows.length === 0) this.view.lines([dim('  There is no other session of this folder.')]);
    else {
      this.choices = rows;
      if (argument !== undefined) this.picked(argument);
      else this.view.lines(sessionLines(rows, Date.now(), terminalWidth()));
    }
    this.settle();
  }

  private picked(said: string): void {
    const rows = this.choices ?? [];
    this.choices = null;
    if (said === '') return;
    const row = rows[Number(said) - 1] ?? rows.find(({ run }) => run === said);
    if (row) void this.change(row);
    else this.view.lines([dim('  None of them: you stay in this one.')]);
  }

  /** Leaves this session as it is and goes to another, or to a new one. */
  private async change(to: RunRow | null): Promise<void> {
    if (!this.isAsked) this.session.interrupt();
    this.session.close();
    this.session = this.newSession();
    await this.session.begin(to, false);
  }

  private interrupted(): void {
    if (this.session.isBusy) {
      this.view.lines([{ text: '^C  Interrupting.', tone: 'note' }]);
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

  /** A question waits for its answer, wherever that comes from. */
  private get isAsked(): boolean {
    return this.session.track.approvals.length > 0;
  }

  /** A task that runs is interrupted first; one that asks is left as it is. */
  private leave(code: number = LEFT): void {
    if (this.isOver) return;
    // Whoever wants to leave twice does not wait.
    const isAtOnce = this.isLeaving && this.session.isBusy;
    this.isLeaving = true;
    if (isAtOnce) {
      this.finish(code);
      return;
    }
    this.screen.hide();
    if (this.session.isBusy && !this.isAsked) {
      this.session.interrupt();
      return;
    }
    this.isOver = true;
    const id = printable(this.session.track.session ?? '');
    const keeps = this.isAsked ? 'waits for your answer: baton inbox.' : 'keeps everything.';
    if (id !== '') this.view.lines([dim(`${id} ${keeps} go on: baton chat --resume ${id}`)]);
    this.finish(code);
  }
}
