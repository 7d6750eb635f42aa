import { commandLine, endLine, spokenLine } from '../agents/cli/log-lines.js';
import type { BodyRef } from '../core/kernel/effect.js';
import type { SessionEvent, Told } from '../core/session/session-messages.js';
import type { CallDeed } from '../core/session/session-state.js';
import { commandTitle } from './shown-title.js';

const TITLE_CHARS_MAX = 500;

type Fields = Readonly<Record<string, unknown>>;

/** What happens in a session, as lines for whoever watches the job: one for each message, command and patch. */
export class SoloLog {
  private readonly say: (line: string) => void;
  private readonly read: (ref: BodyRef) => string;

  constructor(say: (line: string) => void, read: (ref: BodyRef) => string) {
    this.say = say;
    this.read = read;
  }

  take(event: SessionEvent): void {
    for (const line of this.linesOf(event)) this.say(line);
  }

  /** When it is really begun: several may be let go at once. */
  begins({ kind, shown }: Pick<CallDeed, 'kind' | 'shown'>): void {
    const { command, changes } = this.fields(shown);
    if (kind === 'exec') this.say(commandLine(commandTitle(command as readonly string[], TITLE_CHARS_MAX)));
    else this.say(`changes ${Object.keys((changes ?? {}) as object).join(', ')}`);
  }

  private linesOf(event: SessionEvent): readonly string[] {
    switch (event.type) {
      case 'MessageSaid':
        return spokenLine('says', this.fields(event.said).message);
      case 'ReasoningSaid':
        return spokenLine('thinks', this.fields(event.said).text);
      case 'CallEnded':
        return [this.ended(event)];
      case 'CallAnswered':
        return [endLine('told', this.told(event.output))];
      case 'RetryPlanned':
        return [`asks its model again: ${event.reason}`];
      case 'CompactionBegun':
        return ['sums up what was said'];
      default:
        return [];
    }
  }

  private ended({ kind, end }: Extract<SessionEvent, { type: 'CallEnded' }>): string {
    const { exit_code, stdout, stderr } = this.fields(end.said);
    const words = [stdout, stderr].find((one) => typeof one === 'string' && one.trim() !== '') ?? '';
    if (kind === 'exec') return endLine(`exit code ${exit_code}`, String(words));
    return end.success ? endLine('done', '') : endLine('not done', String(words));
  }

  /** Pictures are told as their bytes. */
  private told(output: Told): string {
    const words = 'words' in output ? output.words : this.read(output);
    return words.startsWith('data:') ? 'a picture' : words;
  }

  private fields(ref: BodyRef): Fields {
    return JSON.parse(this.read(ref)) as Fields;
  }
}
