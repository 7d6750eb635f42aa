import type { WireEvent } from '../../engine/session/session-desk.js';
import { LOST } from '../../engine/session/wire-event.js';
import { grouped } from '../grouped-number.js';
import { duration } from '../job/amounts.js';
import { printable } from '../printable.js';
import type { ToneLine } from './change-lines.js';
import { commandWords } from './command-words.js';
import { cutToWidth } from './display-width.js';
import type { Tone } from './tint.js';

type Msg = WireEvent['msg'];
/** How something ended: in one word for the sign, and in a few words. */
export type Ending = { mark: 'ok' | 'bad' | 'note'; tone: Tone; words: string };

const TAIL_LINES = 5;
const DECIMALS_BELOW_MS = 60_000;
const ARGUMENTS_WIDTH = 40;

/** What a command or a tool is called on its line. */
export function callWords({ type, command, sandbox, server, tool, arguments: given }: Msg): string {
  if (type !== 'mcp_tool_call_begin') {
    const argv = Array.isArray(command) ? command.map(String) : [];
    return `${commandWords(argv)}${sandbox === 'outside' ? ' (outside of the sandbox)' : ''}`;
  }
  const shown = given === undefined ? '' : ` ${cutToWidth(printable(JSON.stringify(given)), ARGUMENTS_WIDTH)}`;
  return `${printable(`${String(server)}.${String(tool)}`)}${shown}`;
}

export function endingOf(msg: Msg): Ending {
  if (msg.unknown === true) return { mark: 'note', tone: 'note', words: 'not known: its process died meanwhile' };
  if (msg.interrupted === true) return { mark: 'note', tone: 'note', words: 'interrupted' };
  if (msg.type === 'exec_command_end') return commandEnding(msg);
  return msg.success === true
    ? { mark: 'ok', tone: 'good', words: 'done' }
    : { mark: 'bad', tone: 'bad', words: 'failed' };
}

function commandEnding({ exit_code, timed_out, duration_ms }: Msg): Ending {
  const took = typeof duration_ms === 'number' ? ` · ${shortTime(duration_ms)}` : '';
  if (timed_out === true) return { mark: 'bad', tone: 'bad', words: `took too long${took}` };
  const words = `exit ${Number(exit_code)}${took}`;
  return exit_code === 0 ? { mark: 'ok', tone: 'good', words } : { mark: 'bad', tone: 'bad', words };
}

function shortTime(ms: number): string {
  return ms < DECIMALS_BELOW_MS ? `${(ms / 1_000).toFixed(1)}s` : duration(ms);
}

/** The end of what a command printed. */
export function tailLines(msg: Msg, width: number): ToneLine[] {
  const { stdout, stderr, truncated_bytes: left } = msg;
  const lines = [stdout, isOwnWords(msg) ? '' : stderr].flatMap(linesIn);
  const shown = lines.slice(-TAIL_LINES);
  const more = lines.length - shown.length;
  // Of a long output not all is kept, so that nobody knows how many lines there were.
  const isCut = typeof left === 'number' && left > 0;
  const cut = isCut ? [`… at least ${countOf(more)} before; ${grouped(left)} bytes are not kept`] : [];
  const before = isCut ? cut : more > 0 ? [`… ${countOf(more)} before`] : [];
  return dimLines([...before, ...shown], width);
}

/** Words of Baton in the place of what the command has printed: its end says the same. */
function isOwnWords({ interrupted, unknown, stderr }: Msg): boolean {
  return (interrupted === true && stderr === LOST.interrupted) || (unknown === true && stderr === LOST.unknown);
}

/** The beginning of what a tool gave back. */
export function resultLines({ result, interrupted, unknown }: Msg, width: number): ToneLine[] {
  if (interrupted === true || unknown === true) return [];
  const lines = linesIn(resultText(result));
  const shown = lines.slice(0, TAIL_LINES);
  const left = lines.length - shown.length;
  return dimLines([...shown, ...(left > 0 ? [`… ${countOf(left)} more`] : [])], width);
}

type ToolResult = { content?: unknown; structuredContent?: unknown; error?: unknown; beginning?: unknown };

function resultText(result: unknown): string {
  if (typeof result !== 'object' || result === null) return typeof result === 'string' ? result : '';
  const { content, structuredContent, error, beginning } = result as ToolResult;
  if (typeof error === 'string') return error;
  if (typeof beginning === 'string') return beginning;
  if (!Array.isArray(content)) return JSON.stringify(result);
  const parts = content as { type?: unknown; text?: unknown }[];
  const text = parts.map((part) => (typeof part.text === 'string' ? part.text : `[${String(part.type)}]`)).join('\n');
  return text !== '' || structuredContent === undefined ? text : JSON.stringify(structuredContent);
}

function linesIn(text: unknown): string[] {
  return typeof text === 'string' ? text.split(/\r?\n/).filter((line) => line.trim() !== '') : [];
}

function dimLines(lines: readonly string[], width: number): ToneLine[] {
  return lines.map((line) => ({ text: cutToWidth(printable(line.replaceAll('\t', '    ')), width), tone: 'dim' }));
}

function countOf(lines: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}

const STEP_MARKS: Readonly<Record<string, { mark: 'ok' | 'now' | 'open'; tone: Tone }>> = {
  completed: { mark: 'ok', tone: 'dim' },
  in_progress: { mark: 'now', tone: 'strong' },
  pending: { mark: 'open', tone: 'plain' },
};

/** The plan as a list that is ticked off. */
export function planLines({ plan, explanation }: Msg, marks: Record<'ok' | 'now' | 'open', string>): ToneLine[] {
  const steps = Array.isArray(plan) ? (plan as { step?: unknown; status?: unknown }[]) : [];
  const why = typeof explanation === 'string' && explanation !== '' ? `   ${printable(explanation)}` : '';
  return [
    { text: `plan${why}`, tone: 'plain' },
    ...steps.map(({ step, status }): ToneLine => {
      const { mark, tone } = STEP_MARKS[String(status)] ?? { mark: 'open', tone: 'plain' };
      return { text: `  ${marks[mark]} ${printable(String(step))}`, tone };
    }),
  ];
}
