import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { PastedTexts, pastedText, readable } from './pasted-texts.js';

type Key = { ctrl?: boolean; meta?: boolean; name?: string; sequence?: string };
/** What readline keeps to itself: how it draws its line, and what a key does to it. */
type Drawn = Omit<Interface, 'line' | 'cursor'> & {
  /** How many rows above the cursor its line begins. */
  prevRows: number;
  history: string[];
  line: string;
  cursor: number;
  /** False within several keys that came at once: they would then go to the end of the line, wherever the cursor is. */
  isCompletionEnabled: boolean;
  _ttyWrite(text: string | undefined, key: Key): void;
  _insertString(text: string): void;
  _refreshLine(): void;
};

export type ScreenPorts = {
  onLine(text: string): void;
  onInterrupt(): void;
  onEnd(): void;
  /** A key was pressed while no line could be typed. False: it is not for us, and nothing comes of it. */
  onTyping(): boolean;
};

const HISTORY_MAX = 200;
/** The terminal says where a paste begins and where it ends. */
const BRACKETS = { on: '\u001b[?2004h', off: '\u001b[?2004l' };

/** A terminal with one line to type at its foot, and everything else above it. */
export class ChatScreen {
  private readonly output: WriteStream;
  private readonly lines: Drawn;
  private readonly ports: ScreenPorts;
  private readonly texts = new PastedTexts();
  /** However this process ends, the terminal is left as it was. */
  private readonly onExit = (): void => void this.output.write(BRACKETS.off);
  private isPrompting = false;
  private isAtStart = true;
  /** The beginning of a line that is not whole yet and has no place while somebody types. */
  private held = '';
  /** What was pasted of a paste whose end is still to come. */
  private paste: { pieces: string[]; isWanted: boolean } | null = null;

  constructor(input: ReadStream, output: WriteStream, ports: ScreenPorts) {
    this.output = output;
    this.ports = ports;
    const options = { input, output, historySize: HISTORY_MAX, removeHistoryDuplicates: true };
    this.lines = createInterface(options) as unknown as Drawn;
    this.lines.on('line', (line) => this.typed(line));
    this.lines.on('SIGINT', () => ports.onInterrupt());
    this.lines.on('close', () => ports.onEnd());
    this.lines.on('SIGCONT', () => {
      this.output.write(BRACKETS.on);
      this.lines.resume(); // readline has stopped reading before it says so
    });
    const edit = this.lines._ttyWrite.bind(this.lines);
    this.lines._ttyWrite = (text, key) => {
      this.lines.isCompletionEnabled = true;
      if (!this.pressed(text, key ?? {})) edit(text, key ?? {});
    };
    this.output.write(BRACKETS.on);
    process.on('exit', this.onExit);
  }

  /** What was typed so far. */
  get draft(): string {
    return this.lines.line;
  }

  write(text: string): void {
    if (text === '') return;
    if (!this.isPrompting) {
      this.output.write(text);
      this.isAtStart = text.endsWith('\n');
      return;
    }
    const whole = this.held + text;
    const end = whole.lastIndexOf('\n') + 1;
    this.held = whole.slice(end);
    if (end > 0) this.above(whole.slice(0, end));
  }

  /** Shows the line to type; what was typed before stays. */
  prompt(label: string): void {
    if (!this.isPrompting && !this.isAtStart) this.output.write('\n');
    if (this.isPrompting) this.erase();
    this.lines.setPrompt(label);
    this.lines.prevRows = 0;
    this.isPrompting = true;
    this.lines.prompt(true);
  }

  /** No line to type for now. */
  hide(): void {
    if (!this.isPrompting) return;
    this.erase();
    this.lowered();
  }

  /** Takes back what was typed so far, and answers with it. */
  takeDraft(): string {
    const { line } = this.lines;
    if (line !== '') this.replace('', '');
    return line;
  }

  /** As if it had been typed. */
  type(draft: string): void {
    this.lines._insertString(draft);
  }

  /** The newest first. */
  remember(entries: readonly string[]): void {
    this.lines.history.push(...entries.map((entry) => this.texts.fold(readable(entry))));
  }

  /** The last line was an answer, and nothing to say again. */
  forgetLast(): void {
    this.lines.history.shift();
  }

  close(): void {
    this.hide();
    if (!this.isAtStart) this.output.write('\n');
    this.lines.close();
    this.onExit();
    process.off('exit', this.onExit);
  }

  /** True when the key is dealt with, and readline does not see it. */
  private pressed(text: string | undefined, key: Key): boolean {
    if (this.paste) {
      if (key.name === 'paste-end') this.pasted(this.paste);
      else this.paste.pieces.push(key.sequence ?? text ?? '');
      return true;
    }
    const isOfProcess = key.ctrl && (key.name === 'c' || key.name === 'd' || key.name === 'z');
    const isWanted = isOfProcess || this.isPrompting || this.ports.onTyping();
    if (key.name === 'paste-start') {
      this.paste = { pieces: [], isWanted };
      return true;
    }
    if (key.ctrl && key.name === 'z') this.output.write(BRACKETS.off);
    return !isWanted || this.edited(key);
  }

  /** Keys that mean something else here than in a line of one line. */
  private edited({ name, meta, ctrl }: Key): boolean {
    const before = this.lines.line.slice(0, this.lines.cursor);
    const after = this.lines.line.slice(this.lines.cursor);
    if (name === 'return' || name === 'enter') {
      if (meta) this.lines._insertString('\n');
      else if (after === '' && before.endsWith('\\')) this.replace(`${before.slice(0, -1)}\n`, '');
      else return false;
      return true;
    }
    const fold = name === 'backspace' && !meta && !ctrl ? this.texts.foldAtEnd(before) : undefined;
    if (fold === undefined) return false;
    this.replace(before.slice(0, -fold.length), after);
    return true;
  }

  private pasted({ pieces, isWanted }: { pieces: readonly string[]; isWanted: boolean }): void {
    this.paste = null;
    if (isWanted) this.lines._insertString(this.texts.fold(pastedText(pieces.join(''))));
  }

  private replace(before: string, after: string): void {
    if (this.isPrompting) this.erase();
    this.lines.line = before + after;
    this.lines.cursor = before.length;
    this.lines.prevRows = 0;
    if (this.isPrompting) this.lines._refreshLine();
  }

  private typed(line: string): void {
    // Readline has ended its line.
    this.lowered();
    this.ports.onLine(this.texts.unfold(line));
  }

  private lowered(): void {
    this.isPrompting = false;
    this.isAtStart = true;
    const { held } = this;
    this.held = '';
    this.write(held);
  }

  private above(text: string): void {
    this.erase();
    this.output.write(text);
    this.lines.prevRows = 0;
    this.lines.prompt(true);
  }

  private erase(): void {
    moveCursor(this.output, 0, -this.lines.getCursorPos().rows);
    cursorTo(this.output, 0);
    clearScreenDown(this.output);
  }
}
