import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { printable } from '../printable.js';

type Key = { ctrl?: boolean; name?: string };
/** What readline keeps to itself: how many rows above the cursor its line begins. */
type Drawn = Interface & { prevRows: number; history: string[] };

export type ScreenPorts = {
  onLine(text: string): void;
  onInterrupt(): void;
  onEnd(): void;
  /** A key was pressed while no line could be typed. */
  onTyping(): void;
};

/** Lines that are pasted come as one message: whoever types needs longer between two. */
const PASTED_WITHIN_MS = 25;
const HISTORY_MAX = 200;

/** A terminal with one line to type at its foot, and everything else above it. */
export class ChatScreen {
  private readonly output: WriteStream;
  private readonly lines: Drawn;
  private readonly ports: ScreenPorts;
  private isPrompting = false;
  private isAtStart = true;
  /** The beginning of a line that is not whole yet and has no place while somebody types. */
  private held = '';
  private pasted: string[] = [];

  constructor(input: ReadStream, output: WriteStream, ports: ScreenPorts) {
    this.output = output;
    this.ports = ports;
    this.lines = createInterface({ input, output, historySize: HISTORY_MAX, removeHistoryDuplicates: true }) as Drawn;
    this.lines.on('line', (line) => this.typed(line));
    this.lines.on('SIGINT', () => ports.onInterrupt());
    this.lines.on('close', () => ports.onEnd());
    // Before readline shows the key.
    input.prependListener('keypress', (_text: string, key: Key | undefined) => {
      if (!this.isPrompting && !(key?.ctrl && (key.name === 'c' || key.name === 'd'))) ports.onTyping();
    });
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
    this.lines.setPrompt(label);
    if (this.isPrompting) this.erase();
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
    if (line !== '') this.lines.write(null, { ctrl: true, name: 'e' });
    if (line !== '') this.lines.write(null, { ctrl: true, name: 'u' });
    return line;
  }

  /** As if it had been typed. */
  type(text: string): void {
    this.lines.write(text);
  }

  /** The newest first. */
  remember(entries: readonly string[]): void {
    this.lines.history.push(...entries.map(printable));
  }

  /** The last line was an answer, and nothing to say again. */
  forgetLast(): void {
    this.lines.history.shift();
  }

  close(): void {
    this.hide();
    if (!this.isAtStart) this.output.write('\n');
    this.lines.close();
  }

  private typed(line: string): void {
    // Readline has ended its line.
    this.lowered();
    this.pasted.push(line);
    if (this.pasted.length > 1) return;
    setTimeout(() => {
      const text = this.pasted.join('\n');
      this.pasted = [];
      this.ports.onLine(text);
    }, PASTED_WITHIN_MS);
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
