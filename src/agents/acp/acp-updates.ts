import { BYTES_MAX } from '../../contracts/shared/read-json.js';
import { type Fields, fields, list, oneLine, text } from '../cli/fields.js';
import { commandLine, endLine, spokenLine } from '../cli/log-lines.js';

/** Tool calls that are under way at once; older ones are forgotten. */
const CALLS_MAX = 1_000;

type Piece = { verb: 'says' | 'thinks'; id: string; text: string };
type Call = Fields & { begun?: boolean };

/** Reads `session/update`: lines for the live log, and what the agent said last. */
export class AcpUpdates {
  private piece: Piece | undefined;
  private lastSaid: string | undefined;
  private readonly calls = new Map<string, Call>();

  /** The text of its last message; undefined when it has not spoken since it was asked. */
  get answer(): string | undefined {
    return this.piece?.verb === 'says' ? this.piece.text : this.lastSaid;
  }

  /** The tool that works now. */
  get running(): string | undefined {
    const call = [...this.calls.values()].findLast(({ begun }) => begun);
    return call && deedOf(call);
  }

  get tooLarge(): boolean {
    return (this.piece?.text.length ?? 0) > BYTES_MAX;
  }

  read(update: Fields): string[] {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.speak('says', update);
      case 'agent_thought_chunk':
        return this.speak('thinks', update);
      case 'tool_call':
      case 'tool_call_update':
        return [...this.end(), ...this.work(update)];
      case 'plan': {
        const entries = list(update.entries).map(fields);
        const done = entries.filter(({ status }) => status === 'completed');
        return [...this.end(), `plan: ${done.length} of ${entries.length} done`];
      }
      default:
        return [];
    }
  }

  /** What was being said is over. */
  end(): string[] {
    const { piece } = this;
    this.piece = undefined;
    if (!piece) return [];
    if (piece.verb === 'says') this.lastSaid = piece.text;
    return spokenLine(piece.verb, piece.text);
  }

  /** It is asked anew, or was refused something: what it said before is no answer to that. */
  forgetAnswer(): string[] {
    const lines = this.end();
    this.lastSaid = undefined;
    return lines;
  }

  /** What is known of a tool call, with what is told now. */
  callOf(told: Fields): Fields {
    const known = this.calls.get(text(told.toolCallId)) ?? {};
    const said = Object.entries(told).filter(([, value]) => value !== null && value !== undefined);
    const rawInput = { ...fields(known.rawInput), ...fields(told.rawInput) };
    return { ...known, ...Object.fromEntries(said), rawInput };
  }

  private speak(verb: Piece['verb'], { content, messageId }: Fields): string[] {
    const said = text(fields(content).text);
    const id = text(messageId);
    if (this.piece?.verb === verb && this.piece.id === id) {
      this.piece.text += said;
      return [];
    }
    const lines = this.end();
    this.piece = { verb, id, text: said };
    return lines;
  }

  private work(told: Fields): string[] {
    const id = text(told.toolCallId);
    const call: Call = this.callOf(told);
    const ended = call.status === 'completed' || call.status === 'failed';
    const begins = !call.begun && call.status !== 'pending';
    this.calls.delete(id);
    if (!ended) this.calls.set(id, begins ? { ...call, begun: true } : call);
    const [oldest] = this.calls.keys();
    if (this.calls.size > CALLS_MAX && oldest !== undefined) this.calls.delete(oldest);
    return [...(begins ? [deedOf(call)] : []), ...(ended ? [endOf(call)] : [])];
  }
}

/** What a tool call does, on one line. */
export function deedOf(call: Fields): string {
  const { command } = fields(call.rawInput);
  if (typeof command === 'string') return commandLine(command);
  const [path] = list(call.locations).map((one) => text(fields(one).path));
  if (call.kind === 'edit') return `edits ${oneLine(path ?? text(call.title))}`;
  return `${text(call.kind)} ${oneLine(text(call.title) || (path ?? ''))}`.trim();
}

function endOf({ status, content }: Call): string {
  const words = list(content).map((one) => text(fields(fields(one).content).text));
  return endLine(status === 'failed' ? 'failed' : 'done', words.join('\n'));
}
