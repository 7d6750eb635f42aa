import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import type { WireEvent } from '../../engine/session/session-desk.js';
import type { OpOf } from '../../engine/session/session-orders.js';
import type { SessionPlace } from '../../engine/session/session-place.js';
import type { Parsed } from '../command.js';
import { grouped } from '../grouped-number.js';
import type { Io } from '../io.js';
import { listOption } from '../job/read-options.js';
import { isUtf8 } from '../locale.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { readWhole } from '../read-whole.js';
import { askDecision } from '../session/ask-decision.js';
import { beginSession } from '../session/begin-session.js';
import { money } from '../session/chat-words.js';
import { checkLastMessageFile, writeLastMessage } from '../session/last-message-file.js';
import { atSessions, type SessionCommand } from '../session/opened-sessions.js';
import { raiseOption } from '../session/raise-options.js';
import { refusalIn, SessionLink } from '../session/session-link.js';
import { SessionTrack, type TaskEnd } from '../session/session-track.js';
import { SessionView } from '../session/session-view.js';
import { taskSignals } from '../session/task-signals.js';
import { terminalWidth } from '../session/terminal-width.js';
import { TextFlow } from '../session/text-flow.js';
import { untilPersonNeeded } from '../session/until-person-needed.js';

const EXIT = { complete: 0, failed: 1, waiting: 3, limit: 4, interrupted: 130 } as const;

/** `baton exec`: one task in a session, until it ends or needs a person who is not there. */
export const runExec: SessionCommand = async (parsed, io, open) => {
  const file = lastMessageFile(parsed, io);
  if (file !== undefined) await checkLastMessageFile(file);
  const prompt = await readPrompt(parsed, io);
  return atSessions(open, io, (place) => new Execution(place, parsed, io).run(inputOf(prompt, place, parsed, io)));
};

class Execution {
  private readonly place: SessionPlace;
  private readonly parsed: Parsed;
  private readonly io: Io;
  private readonly track = new SessionTrack();
  private readonly view: SessionView;
  private readonly link: SessionLink;
  private readonly isTerminal = process.stdout.isTTY === true;

  constructor(place: SessionPlace, parsed: Parsed, io: Io) {
    this.place = place;
    this.parsed = parsed;
    this.io = io;
    this.link = new SessionLink(
      place.connect((words) => this.say(words)),
      'exec',
    );
    this.view = new SessionView(
      { answer: (text) => io.out(text), progress: (text) => io.err(text) },
      { width: terminalWidth, utf8: isUtf8(io.env), colour: io.terminal.err, streams: this.isTerminal },
    );
  }

  async run(input: OpOf<'user_input'>): Promise<number> {
    const signals = taskSignals(() => {
      this.say('Interrupting. Once more Ctrl-C leaves at once.');
      this.link.send({ type: 'interrupt' });
    });
    const waits = untilPersonNeeded(this.place, this.track, () => this.io.ask === undefined);
    try {
      const begun = await beginSession(this.place, this.link, this.parsed, this.io);
      const task = this.link.send(input);
      const end = await this.follow(new Set([...begun, task]), task, Promise.race([signals.left, waits.needed]));
      return end === 'left' ? EXIT.interrupted : end === 'needed' ? await this.waiting() : await this.ended(end);
    } finally {
      waits.stop();
      signals.forget();
      this.link.close();
    }
  }

  /** Until the task ends, or something else does. `ours`: what must not be refused. */
  private async follow(
    ours: ReadonlySet<string>,
    task: string,
    other: Promise<'left' | 'needed'>,
  ): Promise<TaskEnd | 'left' | 'needed'> {
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
      if (this.track.end?.id === task) return this.track.end;
      if (this.io.ask && !(await this.decide())) return 'needed';
    }
  }

  private tell(event: WireEvent): void {
    if (this.parsed.values.json) this.io.out(`${printableJson(event)}\n`);
    else this.view.take(event);
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
    this.say(`  then it goes on: baton chat --resume ${printable(session ?? '')}`);
    return EXIT.waiting;
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
    const { session, costUsd, context } = this.track;
    const isSpent = end.type === 'error' && end.msg.code === 'LIMIT_REACHED';
    const more = isSpent ? await raiseOption(this.place, session ?? '') : '';
    const id = printable(session ?? '');
    const spent = [money(costUsd), ...(context ? [`${grouped(context.tokens)} tokens in its thread`] : [])];
    this.say(`${id} · ${spent.join(' · ')}`);
    this.say(`  go on: baton exec --resume ${id}${more} "…"      or: baton chat --resume ${id}${more}`);
  }

  private say(words: string): void {
    this.view.lines([{ text: words, tone: 'dim' }]);
  }
}

function lastMessageFile(parsed: Parsed, io: Io): string | undefined {
  const file = textOption(parsed, 'output-last-message');
  return file === undefined ? undefined : path.resolve(io.cwd, file);
}

async function readPrompt(parsed: Parsed, io: Io): Promise<string> {
  const [word = ''] = parsed.positionals;
  const text = word === '-' ? new TextDecoder().decode(await readWhole('-', io, BYTES_MAX)) : word;
  if (text.trim() === '') throw new BatonError('USAGE', 'what is to be done? Give a prompt, or - for standard input');
  return text;
}

function inputOf(text: string, { isFar }: SessionPlace, parsed: Parsed, io: Io): OpOf<'user_input'> {
  const images = (listOption(parsed, 'image') ?? []).map((file) => (isFar ? file : path.resolve(io.cwd, file)));
  return {
    type: 'user_input',
    items: [{ type: 'text', text }, ...images.map((file) => ({ type: 'local_image' as const, path: file }))],
  };
}
