import { StringDecoder } from 'node:string_decoder';
import type { Scrub } from '../engine/scrub.js';

const STREAMED_CHARS_MAX = 256 * 1024;
/** Of a line that has no end yet: longer than what is secret in one line. */
const HELD_BACK_CHARS = 8 * 1024;
/** The end of a secret is waited for so long; after that, nothing more is streamed. */
const WAITED_FOR_CHARS_MAX = 64 * 1024;

/** Output of a command on its way to whoever looks: whole lines, up to a bound, and no secret in halves. */
export class LiveOutput {
  private readonly decoder = new StringDecoder('utf8');
  private readonly say: (text: string) => void;
  private readonly scrub: Scrub;
  private readonly room: { chars: number };
  private rest = '';
  private isMute = false;

  /** `room` is shared by the streams of one call. */
  constructor(how: { say(text: string): void; scrub: Scrub; room: { chars: number } }) {
    this.say = how.say;
    this.scrub = how.scrub;
    this.room = how.room;
  }

  take(chunk: Buffer): void {
    if (this.room.chars <= 0 || this.isMute) return;
    this.rest += this.decoder.write(chunk);
    const cut = this.cut();
    this.isMute = this.rest.length - cut > WAITED_FOR_CHARS_MAX;
    this.tell(this.rest.slice(0, cut));
    this.rest = this.isMute ? '' : this.rest.slice(cut);
  }

  end(): void {
    if (!this.isMute) this.tell(this.rest + this.decoder.end());
    this.rest = '';
  }

  /** Where nothing secret is on both sides, whatever follows. */
  private cut(): number {
    const { rest, scrub } = this;
    const line = rest.lastIndexOf('\n') + 1;
    const wanted = rest.length - line > HELD_BACK_CHARS ? this.cutInLine(line) : line;
    const cut = Math.min(wanted, scrub.openAt(rest));
    const isApart = cut === rest.length || scrub(rest.slice(0, cut)) + scrub(rest.slice(cut)) === scrub(rest);
    return isApart ? cut : 0;
  }

  /** Between two words where there are any. */
  private cutInLine(line: number): number {
    const latest = this.rest.length - HELD_BACK_CHARS;
    const blank = this.rest.lastIndexOf(' ', latest) + 1;
    if (blank > line) return blank;
    return /[\ud800-\udbff]/.test(this.rest.charAt(latest - 1)) ? latest - 1 : latest;
  }

  private tell(text: string): void {
    const { chars } = this.room;
    if (text === '' || chars <= 0) return;
    const told = this.scrub(text).slice(0, chars);
    this.room.chars -= Math.max(1, told.length);
    this.say(told);
  }
}

export const newRoom = (): { chars: number } => ({ chars: STREAMED_CHARS_MAX });
