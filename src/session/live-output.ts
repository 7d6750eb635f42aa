import { StringDecoder } from 'node:string_decoder';

const STREAMED_CHARS_MAX = 256 * 1024;
/** Of a line that has no end yet: a secret in it must not be cut in two. */
const HELD_BACK_CHARS = 200;

/** Output of a command on its way to whoever looks: whole lines without secrets, up to a bound. */
export class LiveOutput {
  private readonly decoder = new StringDecoder('utf8');
  private readonly say: (text: string) => void;
  private readonly scrub: (text: string) => string;
  private readonly room: { chars: number };
  private rest = '';

  /** `room` is shared by the streams of one call. */
  constructor(how: { say(text: string): void; scrub(text: string): string; room: { chars: number } }) {
    this.say = how.say;
    this.scrub = how.scrub;
    this.room = how.room;
  }

  take(chunk: Buffer): void {
    if (this.room.chars <= 0) return;
    this.rest += this.decoder.write(chunk);
    const whole = this.rest.lastIndexOf('\n') + 1;
    const cut = this.rest.length - whole > HELD_BACK_CHARS ? this.cutInLine(whole) : whole;
    this.tell(this.rest.slice(0, cut));
    this.rest = this.rest.slice(cut);
  }

  /** Between two words where there are any. */
  private cutInLine(whole: number): number {
    const latest = this.rest.length - HELD_BACK_CHARS;
    const blank = this.rest.lastIndexOf(' ', latest) + 1;
    return blank > whole ? blank : latest;
  }

  end(): void {
    this.tell(this.rest + this.decoder.end());
    this.rest = '';
  }

  private tell(text: string): void {
    const { chars } = this.room;
    if (text === '' || chars <= 0) return;
    const told = this.scrub(text.length > chars ? text.slice(0, chars) : text);
    this.room.chars -= Math.max(1, Math.min(chars, text.length));
    this.say(told);
  }
}

export const newRoom = (): { chars: number } => ({ chars: STREAMED_CHARS_MAX });
