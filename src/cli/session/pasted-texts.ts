import { grouped } from '../grouped-number.js';
import { printable } from '../printable.js';

/** What is shown as it is in the line that is typed; more is folded. */
const LINES_MAX = 8;
const CHARS_MAX = 800;
/** The oldest is forgotten first, and its fold is then only what it looks like. */
const KEPT_MAX = 250;
const FOLD = /\[[\d,]+ (?:lines|characters) pasted(?:, \d+)?\]/g;

/** Texts too long for the line that is typed, or not to be shown as they are: a fold stands there for each. */
export class PastedTexts {
  private readonly texts = new Map<string, string>();

  /** What stands in the line for a text. */
  fold(text: string): string {
    const lines = text.split('\n');
    const isShort = lines.length <= LINES_MAX && text.length <= CHARS_MAX;
    return isShort && isReadable(text) ? text : this.kept(text, lines.length);
  }

  /** What a line stands for. */
  unfold(line: string): string {
    return line.replace(FOLD, (fold) => this.texts.get(fold) ?? fold);
  }

  /** The fold that the text ends with. */
  foldAtEnd(text: string): string | undefined {
    const last = [...text.matchAll(FOLD)].at(-1)?.[0];
    return last !== undefined && this.texts.has(last) && text.endsWith(last) ? last : undefined;
  }

  private kept(text: string, lines: number): string {
    const what = lines > 1 ? `${grouped(lines)} lines` : `${grouped(text.length)} characters`;
    let fold = `[${what} pasted]`;
    for (let other = 2; (this.texts.get(fold) ?? text) !== text; other += 1) fold = `[${what} pasted, ${other}]`;
    this.texts.delete(fold);
    this.texts.set(fold, text);
    const [oldest] = this.texts.keys();
    if (this.texts.size > KEPT_MAX && oldest !== undefined) this.texts.delete(oldest);
    return fold;
  }
}

/** As a terminal sends it: its line ends are one sign, and the last one only ends the paste. */
export function pastedText(sent: string): string {
  return sent.replace(/\r\n?/g, '\n').replace(/\n$/, '');
}

/** Made safe for the line that is typed, which may have several lines. */
export function readable(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function isReadable(text: string): boolean {
  return readable(text) === text.replaceAll('\t', ' ');
}
