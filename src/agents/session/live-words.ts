import type { Scrub } from '../../engine/scrub.js';

/** So much of an unfinished word is waited for. What is longer is told when it is stored: it may be a key in its whole length. */
const WORD_CHARS_MAX = 8_192;
/** So far back a word is looked for that leads a secret. */
const LEAD_CHARS_MAX = 200;
/** Behind these a secret is known by its neighbour, so both are shown together. */
const LEADS_A_SECRET = /(?:\S*(?:earer|asic|oken|assword|ecret|uthorization|[:=])["']?\s+)+$/;
/** The password of an address, the only shape of a secret with letters of all languages in it. */
const IN_ADDRESS = /:\/\/[\w.~!$&*+,;=%-]{0,100}:[\w.~!$&()*+,;=:%@^|{}<>\u00a1-\ud7ff-]*$/;
/** A key of many lines is whole only at its end. */
const KEY_BLOCK = '-----BEGIN';

/**
 * The words of one item on their way to whoever looks: whole words only, so that no secret goes out in halves. A word ends
 * at a blank, and at a character of which no secret consists: languages without blanks are told as they come, too.
 */
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
    this.isMute = block !== -1 || this.held.length > WORD_CHARS_MAX;
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
    const { held, scrub } = this;
    for (let end = held.length; ; ) {
      const length = wholeWords(held.slice(0, end));
      end = scrub.cut(held, length);
      if (end === length) return length;
    }
  }
}

/** The length of all words that have ended, without those that may lead a secret. */
function wholeWords(text: string): number {
  let end = text.length;
  while (end > 0 && !isBlank(text, end - 1)) {
    if (isNoSecret(text, end - 1)) {
      const address = IN_ADDRESS.exec(text.slice(lastBlank(text, end), end));
      if (!address) return end;
      end -= address[0].length;
    } else end -= 1;
  }
  const lead = LEADS_A_SECRET.exec(text.slice(Math.max(0, end - LEAD_CHARS_MAX), end))?.[0] ?? '';
  return end - lead.length;
}

function lastBlank(text: string, end: number): number {
  let at = end;
  while (at > 0 && !isBlank(text, at - 1)) at -= 1;
  return at;
}

function isBlank(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
}

/** Of a character in two halves it is the second. */
function isNoSecret(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > LAST_OF_ASCII && (code < FIRST_HALF || code > LAST_FIRST_HALF);
}

const LAST_OF_ASCII = 0x7f;
const FIRST_HALF = 0xd800;
const LAST_FIRST_HALF = 0xdbff;
