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
    // What follows is told when it is stored.
    if (this.held.includes(KEY_BLOCK)) {
      this.isMute = true;
      return;
    }
    const length = this.wholeLength();
    if (length === 0) return;
    this.send(length);
  }

  end(): void {
    if (!this.isMute) this.send(this.held.length);
  }

  private send(length: number): void {
    const text = this.scrub(this.held.slice(0, length));
    this.held = this.held.slice(length);
    if (text !== '') this.tell(text);
  }

  private wholeLength(): number {
    const whole = this.held.search(/\S*$/);
    const lead = LEADS_A_SECRET.exec(this.held.slice(Math.max(0, whole - HELD_CHARS_MAX), whole))?.[0] ?? '';
    const length = whole - lead.length;
    return this.held.length - length > HELD_CHARS_MAX ? this.held.replace(/[\ud800-\udbff]$/, '').length : length;
  }
}
