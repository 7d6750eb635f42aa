import type { Scrub } from '../../engine/scrub.js';

/** So much of an unfinished word is waited for; what is longer is no word. */
const HELD_CHARS_MAX = 200;
/** Behind these a secret is known by its neighbour, so both are shown together. */
const LEADS_A_SECRET = /(?:\S*(?:earer|asic|oken|assword|ecret|uthorization|[:=])["']?\s+)+$/;
/** A key of many lines is whole only at its end. */
const KEY_BLOCK = '-----BEGIN';

/** The words of one item on their way to whoever looks: whole words only, so that no secret goes out in halves. */
export class LiveWords {
  private readonly scrub: Scrub;
  private readonly tell: (text: string) => void;
  private held = '';
  private isMute = false;

  constructor(scrub: Scrub, tell: (text: string) => void) {
    this.scrub = scrub;
    this.tell = tell;
  }

  add(text: string): void {
    if (this.isMute) return;
    this.held += text;
    const block = this.held.indexOf(KEY_BLOCK);
    this.send(block === -1 ? this.wholeLength() : block);
    // What follows is told when it is stored.
    this.isMute = block !== -1;
  }

  end(): void {
    if (!this.isMute) this.send(this.held.length);
  }

  private send(length: number): void {
    if (length === 0) return;
    const text = this.scrub(this.held.slice(0, length));
    this.held = this.held.slice(length);
    this.tell(text);
  }

  private wholeLength(): number {
    const { held } = this;
    const oldest = Math.max(0, held.length - HELD_CHARS_MAX);
    let whole = held.length;
    while (whole > oldest && !isSpace(held, whole - 1)) whole -= 1;
    const lead = LEADS_A_SECRET.exec(held.slice(oldest, whole))?.[0] ?? '';
    const length = whole - lead.length;
    // All of it is one word, or looks like it.
    if (length <= oldest && oldest > 0) return held.length - (/[\ud800-\udbff]$/.test(held) ? 1 : 0);
    return length;
  }
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
}
