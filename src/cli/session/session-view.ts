import type { WireEvent } from '../../engine/session/session-desk.js';
import { inStyle, type ViewStyle } from '../operator/view-style.js';
import { printable } from '../printable.js';
import { wrapText } from '../wrap-text.js';
import { approvalLines, quoted } from './approval-lines.js';
import { callWords, type Ending, endingOf, planLines, resultLines, tailLines } from './call-lines.js';
import { changeLines, type ToneLine } from './change-lines.js';
import { cutToWidth } from './display-width.js';
import { RunningCalls } from './running-calls.js';
import { StreamedText } from './streamed-text.js';
import { TextFlow } from './text-flow.js';
import { type Tone, tint } from './tint.js';
import { wrapLine } from './wrap-line.js';

type Msg = WireEvent['msg'];

/** Where it is shown: what the model answers, and what happens on the way. */
export type ViewSink = {
  answer(text: string): void;
  progress(text: string): void;
  /** Lines that stand behind all others and are overwritten; absent where nothing can be. */
  live?: { show(lines: readonly string[]): void; nowMs(): number };
};
export type SessionStyle = Omit<ViewStyle, 'width'> & {
  width(): number;
  /** Words are shown while they come; else a message is shown whole, and the last one not at all. */
  streams: boolean;
};

const MARKS = {
  utf8: { ok: '✓', bad: '✗', note: '!', now: '◦', open: '-' },
  ascii: { ok: 'ok', bad: 'FAIL', note: '!', now: '>', open: '-' },
};
/** Room behind a command for how it ended. */
const ENDING_WIDTH = 24;
const INDENT = '  ';
const TAIL_INDENT = '      ';
const SAID_LINES = 10;
/** HH:MM:SS. */
const TIME_CHARS = 8;

/** Shows what happens in a session to a person, event by event. */
export class SessionView {
  private readonly sink: ViewSink;
  private readonly style: SessionStyle;
  private readonly texts = new StreamedText();
  private readonly calls = new Map<string, string>();
  private readonly running: RunningCalls | null;
  private readonly shownChanges = new Set<string>();
  /** What is being written at this moment; everything else begins a line of its own. */
  private open: { type: 'text'; item: string; tone: Tone; flow: TextFlow } | { type: 'call'; call: string } | null =
    null;
  /** A message that may turn out to be the answer. */
  private held: string | null = null;

  constructor(sink: ViewSink, style: SessionStyle) {
    this.sink = sink;
    this.style = style;
    this.running = sink.live ? new RunningCalls(sink.live.nowMs) : null;
  }

  take({ msg, seq }: WireEvent): void {
    this.running?.heard();
    switch (msg.type) {
      case 'agent_message_delta':
      case 'agent_reasoning_delta':
        this.piece(msg);
        break;
      case 'agent_message':
      case 'agent_reasoning':
        this.said(msg);
        break;
      case 'exec_command_begin':
      case 'mcp_tool_call_begin':
        this.callBegins(msg);
        break;
      case 'exec_command_output_delta':
        this.running?.prints(String(msg.call_id), String(msg.delta));
        break;
      case 'exec_command_end':
      case 'mcp_tool_call_end':
        this.callEnds(msg);
        break;
      case 'exec_approval_request':
      case 'apply_patch_approval_request':
        this.asked(msg);
        break;
      case 'approval_resolved':
        this.resolved(msg);
        break;
      case 'patch_apply_begin':
        this.patchBegins(msg);
        break;
      case 'patch_apply_end':
        this.patchEnds(msg);
        break;
      case 'plan_update':
        this.lines(planLines(msg, this.marks), INDENT);
        break;
      case 'error':
        this.failed(msg, seq !== undefined);
        break;
      default:
        this.noticed(msg);
        break;
    }
  }

  /** A sign of life while nothing else is written: what runs, for how long, and the last lines that it has printed. */
  tick(): void {
    const lines = this.running?.lines(this.marks.now, this.style.width()) ?? [];
    this.sink.live?.show(lines.map(({ text, tone }) => this.shown(text, tone)));
  }

  /** Whatever is being written ends its line here. */
  rest(): void {
    if (this.open?.type === 'text') this.write(this.open.flow.end(), this.open.tone);
    if (this.open?.type === 'call') this.sink.progress('\n');
    this.open = null;
  }

  /** Lines of our own between the others. */
  lines(lines: readonly ToneLine[], indent = ''): void {
    this.release();
    this.rest();
    // Where no terminal is, a line is whole.
    const width = this.style.streams ? this.style.width() - indent.length : Number.POSITIVE_INFINITY;
    for (const line of lines) {
      for (const text of wrapLine(line, width)) this.sink.progress(`${indent}${this.shown(text, line.tone)}\n`);
    }
  }

  private get marks(): (typeof MARKS)['utf8'] {
    return this.style.utf8 ? MARKS.utf8 : MARKS.ascii;
  }

  private shown(text: string, tone: Tone): string {
    const [styled = ''] = inStyle([text], { ...this.style, width: 0 });
    return tint(styled, tone, this.style.colour);
  }

  private write(text: string, tone: Tone): void {
    if (text === '') return;
    const shown = this.shown(text, tone);
    if (tone === 'plain') this.sink.answer(shown);
    else this.sink.progress(shown);
  }

  private piece(msg: Msg): void {
    if (!this.style.streams) return;
    const item = String(msg.item_id);
    const text = this.texts.piece(item, Number(msg.offset), String(msg.delta));
    if (text !== '') this.flow(item, msg.type === 'agent_message_delta' ? 'plain' : 'dim', text);
  }

  private flow(item: string, tone: Tone, text: string): void {
    if (this.open?.type !== 'text' || this.open.item !== item) {
      this.rest();
      const indent = tone === 'plain' ? '' : INDENT;
      this.open = { type: 'text', item, tone, flow: new TextFlow(this.style.width, indent) };
    }
    this.write(this.open.flow.take(text), tone);
  }

  private said(msg: Msg): void {
    const isMessage = msg.type === 'agent_message';
    const whole = String(isMessage ? msg.message : msg.text);
    if (!this.style.streams) {
      this.release();
      if (isMessage) this.held = whole;
      return;
    }
    const item = String(msg.item_id ?? (this.open?.type === 'text' ? this.open.item : ''));
    const { text, isNew } = this.texts.whole(item, whole);
    if (isNew) this.rest();
    this.flow(item, isMessage ? 'plain' : 'dim', text);
    this.rest();
  }

  /** It was not the last one: it is told as what happened on the way. */
  private release(): void {
    const { held } = this;
    this.held = null;
    if (held === null) return;
    const flow = new TextFlow(this.style.width, INDENT);
    this.sink.progress(this.shown(flow.take(held) + flow.end(), 'plain'));
  }

  private callBegins(msg: Msg): void {
    const call = String(msg.call_id);
    const words = cutToWidth(callWords(msg), Math.max(this.style.width() - ENDING_WIDTH, ENDING_WIDTH));
    this.calls.set(call, words);
    this.release();
    this.rest();
    if (this.running) {
      this.running.begins(call, words);
      this.tick();
      return;
    }
    this.sink.progress(this.shown(`${INDENT}$ ${words}`, 'plain'));
    this.open = { type: 'call', call };
  }

  private callEnds(msg: Msg): void {
    const call = String(msg.call_id);
    const ending = endingOf(msg);
    if (this.open?.type === 'call' && this.open.call === call) {
      this.open = null;
      this.sink.progress(`   ${this.ended(ending)}\n`);
    } else {
      this.rest();
      const words = this.calls.get(call) ?? printable(call);
      this.sink.progress(`${this.shown(`${INDENT}$ ${words}`, 'plain')}   ${this.ended(ending)}\n`);
    }
    this.calls.delete(call);
    this.running?.ends(call);
    const width = Math.max(this.style.width() - TAIL_INDENT.length, ENDING_WIDTH);
    this.lines(msg.type === 'exec_command_end' ? tailLines(msg, width) : resultLines(msg, width), TAIL_INDENT);
  }

  private ended({ mark, tone, words }: Ending): string {
    return this.shown(`${this.marks[mark]} ${words}`, tone);
  }

  private asked(msg: Msg): void {
    const callId = String(msg.call_id);
    const kind = msg.type === 'exec_approval_request' ? 'exec' : 'patch';
    this.shownChanges.add(callId);
    this.lines(approvalLines({ callId, kind, msg }), INDENT);
  }

  private resolved({ decision, by, guidance }: Msg): void {
    const words = RESOLVED[String(decision)];
    // Its task has ended, which is told by itself.
    if (words === undefined) return;
    const who = typeof by === 'string' && by !== '' ? ` by ${printable(by)}` : '';
    const why = typeof guidance === 'string' ? `: ${quoted(guidance)}` : '';
    this.lines([{ text: `${words}${who}${why}`, tone: 'dim' }], TAIL_INDENT);
  }

  private patchBegins({ call_id, changes }: Msg): void {
    const isShown = this.shownChanges.delete(String(call_id));
    if (!isShown) this.lines(changeLines((changes ?? {}) as Parameters<typeof changeLines>[0]), INDENT);
  }

  private patchEnds({ success, stdout, stderr, files }: Msg): void {
    const { ok, bad } = this.marks;
    const count = Array.isArray(files) ? files.length : 0;
    const what = count > 0 ? `${count} ${count === 1 ? 'file' : 'files'} changed` : firstLine(stdout) || 'changed';
    if (success === true) this.lines([{ text: `${ok} ${what}`, tone: 'good' }], INDENT);
    else this.lines([{ text: `${bad} nothing was changed: ${firstLine(stderr) || 'it failed'}`, tone: 'bad' }], INDENT);
  }

  /** `endsTask`: else only a message of ours was refused. */
  private failed({ message, code, hint }: Msg, endsTask: boolean): void {
    if (code === 'INTERRUPTED') {
      this.lines([{ text: 'Interrupted. What was done so far is kept.', tone: 'note' }]);
      return;
    }
    const text = `${endsTask ? 'Failed' : 'Refused'}: ${printable(String(message))}. ${printable(String(code ?? ''))}`;
    // What helps is said in words of the terminal by whoever knows which limit it is.
    const isHelpful = typeof hint === 'string' && hint !== '' && code !== 'LIMIT_REACHED';
    this.lines(wrapText(text, this.style.width()).map((line) => ({ text: line, tone: 'bad' })));
    const more = isHelpful ? wrapText(printable(hint), this.style.width() - INDENT.length) : [];
    this.lines(
      more.map((line) => ({ text: line, tone: 'plain' })),
      INDENT,
    );
  }

  /** Also a call that was answered without being done: people see why. */
  private notice({ message, code, details }: Msg): void {
    const { mark, tone } = NOTICES[String(code)] ?? { mark: 'note', tone: 'note' };
    this.wrapped(`${this.marks[mark]} ${printable(String(message))}${againAt(details)}`, tone);
  }

  private wrapped(text: string, tone: Tone): void {
    const [first = '', ...rest] = wrapText(text, this.style.width() - TAIL_INDENT.length);
    this.lines([{ text: first, tone }, ...rest.map((line) => ({ text: `${INDENT}${line}`, tone }))], INDENT);
  }

  private begins({ compacts, text }: Msg): void {
    if (compacts === true) this.lines([{ text: 'The thread is summarised to save room.', tone: 'dim' }], INDENT);
    if (typeof text === 'string' && text.trim() !== '') this.lines(saidLines(text, this.style.width()));
  }

  private noticed(msg: Msg): void {
    switch (msg.type) {
      case 'warning':
      case 'background_event':
        this.notice(msg);
        break;
      case 'turn_restarted':
        this.lines([{ text: '! it is asked again: what it had begun to say is void', tone: 'note' }], INDENT);
        break;
      case 'task_started':
        this.begins(msg);
        break;
      case 'task_complete':
        // What was held is the answer, which is for whoever asked.
        this.held = null;
        this.rest();
        break;
    }
  }
}

const NOTICES: Readonly<Record<string, { mark: 'ok' | 'bad'; tone: Tone }>> = {
  CALL_DONE: { mark: 'ok', tone: 'good' },
  CALL_FAILED: { mark: 'bad', tone: 'bad' },
};

const RESOLVED: Readonly<Record<string, string>> = {
  approved: 'allowed, once,',
  approved_for_session: 'allowed for this session',
  denied: 'denied',
  abort: 'denied, and the task stopped,',
};

/** When the model is asked again, on the clock of whoever reads it. */
function againAt(details: unknown): string {
  const { until_ms: untilMs } = (details ?? {}) as { until_ms?: unknown };
  return typeof untilMs === 'number' ? `, at ${new Date(untilMs).toTimeString().slice(0, TIME_CHARS)}` : '';
}

/** What a person has said, as they would have typed it. Of a long text, the beginning. */
function saidLines(text: string, width: number): ToneLine[] {
  const lines = text.trim().split(/\r?\n/);
  const shown = lines.slice(0, SAID_LINES).map((line, index) => {
    return cutToWidth(`${index === 0 ? '> ' : '  '}${printable(line.replaceAll('\t', '    '))}`, width);
  });
  const left = lines.length - shown.length;
  const more = left > 0 ? [`  … ${left} more ${left === 1 ? 'line' : 'lines'}`] : [];
  return [...shown, ...more].map((line) => ({ text: line, tone: 'strong' }));
}

function firstLine(text: unknown): string {
  return typeof text === 'string' ? printable(text.trim().split('\n')[0] ?? '') : '';
}
