import { printable } from '../printable.js';
import { displayWidth } from './display-width.js';

const TAB = '    ';

/**
 * Words on their way to a terminal, wrapped at its width while they come. Nothing of them can do more there than be
 * read: control characters become visible, and only line feeds begin a line.
 */
export class TextFlow {
  private readonly width: () => number;
  private readonly indent: string;
  private column = 0;
  private gap = '';
  private word = '';
  /** The first half of a character whose second half is still to come. */
  private half = '';

  /** `width`: asked each time, as a terminal may change its size. */
  constructor(width: () => number, indent = '') {
    this.width = width;
    this.indent = indent;
  }

  /** What to write now. */
  take(piece: string): string {
    const text = this.half + piece;
    const last = text.charCodeAt(text.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.half = isHalf ? text.slice(-1) : '';
    const whole = isHalf ? text.slice(0, -1) : text;
    const lines = whole.replaceAll('\r\n', '\n').replaceAll('\t', TAB).split('\n');
    return lines.map((line, index) => (index > 0 ? this.newLine() : '') + this.inLine(line)).join('');
  }

  /** The rest, and the end of the line that it stands in. */
  end(): string {
    const rest = this.half === '' ? '' : this.inLine(this.half);
    this.half = '';
    const text = rest + this.flush();
    const isBegun = this.column > 0;
    this.column = 0;
    this.gap = '';
    return isBegun ? `${text}\n` : text;
  }

  private inLine(line: string): string {
    let out = '';
    for (const [, spaces = '', word = ''] of line.matchAll(/( *)([^ ]*)/g)) {
      if (spaces !== '') {
        out += this.flush();
        this.gap += spaces;
      }
      this.word += word;
      // Without an end in sight it is shown as it comes; the terminal breaks it.
      if (this.word.length > this.width()) out += this.flush();
    }
    return out;
  }

  private newLine(): string {
    const text = this.flush();
    this.column = 0;
    this.gap = '';
    return `${text}\n`;
  }

  private flush(): string {
    if (this.word === '') return '';
    // Now that it is whole: what may stay depends on what stands beside it.
    const [word, gap] = [printable(this.word), this.gap];
    this.word = '';
    this.gap = '';
    const width = displayWidth(word);
    const fits = this.column + gap.length + width <= this.width();
    const isFirst = this.column === 0;
    if (isFirst || !fits) {
      const before = isFirst ? this.indent + gap : `\n${this.indent}`;
      this.column = this.indent.length + (isFirst ? gap.length : 0) + width;
      return before + word;
    }
    this.column += gap.length + width;
    return gap + word;
  }
}
