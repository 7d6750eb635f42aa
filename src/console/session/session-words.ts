import type { SessionApproval, SessionBoard, SessionCall, SessionCallState } from '../../client/index.js';
import { quoted } from '../parts/quoted.js';
import type { Glyph, Tone } from '../parts/status.js';

type Look = { glyph: Parameters<typeof Glyph>[0]['glyph']; tone: Tone; word: string };

/** How a call stands: a shape, a colour and a word. */
export const CALL_LOOKS: Readonly<Record<SessionCallState, Look>> = {
  waiting: { glyph: 'diamond', tone: 'you', word: 'waits for you' },
  allowed: { glyph: 'ring', tone: 'rest', word: 'allowed' },
  running: { glyph: 'arc', tone: 'run', word: 'runs' },
  done: { glyph: 'tick', tone: 'ok', word: 'done' },
  failed: { glyph: 'octagon', tone: 'bad', word: 'failed' },
  denied: { glyph: 'slash', tone: 'rest', word: 'denied' },
  withdrawn: { glyph: 'slash', tone: 'rest', word: 'not asked any more' },
  interrupted: { glyph: 'slash', tone: 'rest', word: 'interrupted' },
  unknown: { glyph: 'bolt', tone: 'bad', word: 'outcome unknown' },
  refused: { glyph: 'slash', tone: 'rest', word: 'not done' },
  answered: { glyph: 'tick', tone: 'ok', word: 'done' },
};

export const PLAN_LOOKS: Readonly<Record<string, Look>> = {
  completed: { glyph: 'tick', tone: 'ok', word: 'done' },
  in_progress: { glyph: 'arc', tone: 'run', word: 'under way' },
  pending: { glyph: 'ring', tone: 'rest', word: 'to do' },
};

/** A command as it would be typed; of a shell that gets one line, that line. */
export function commandText(command: readonly string[]): string {
  const [shell = '', flag = '', line, ...more] = command;
  const isLine = /(^|\/)(ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && more.length === 0;
  return isLine && line !== undefined ? line : command.map(quoted).join(' ');
}

/** What a call is, on one line. */
export function callTitle({ command, changes, arguments: given, tool }: SessionCall): string {
  if (command) return commandText(command);
  if (changes) return patchTitle(changes);
  const { server, tool: name } = (given ?? {}) as { server?: string; tool?: string };
  return server === undefined ? tool || 'a tool' : `${server} ${name ?? ''}`.trim();
}

function patchTitle(changes: Readonly<Record<string, unknown>>): string {
  const [first, ...others] = Object.keys(changes);
  if (first === undefined) return 'nothing';
  return others.length === 0 ? first : `${others.length + 1} files`;
}

/** Who let it happen, and what came of it: the words at the end of its line. */
export function callNotes(call: SessionCall): readonly string[] {
  const { state, auto, decided_by: by, exit_code: code, seconds, where, kind } = call;
  const isOver = state === 'done' || state === 'failed';
  const notes: string[] = [];
  if (state === 'denied') notes.push(by === null ? 'denied' : `denied by ${by}`);
  else if (by !== null && state !== 'withdrawn') notes.push(`approved by ${by}`);
  else if (auto) notes.push('ran by itself');
  if (where === 'outside' && kind === 'exec') notes.push('outside of the sandbox');
  if (isOver && kind === 'exec' && code !== null) notes.push(`exit ${code}`);
  if (isOver && seconds !== null) notes.push(shortSeconds(seconds));
  if (!isOver && state !== 'denied' && state !== 'answered') notes.push(CALL_LOOKS[state].word);
  return notes;
}

function shortSeconds(seconds: number): string {
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} m ${Math.floor(seconds % 60)} s`;
}

/** One sentence: what state, and what comes next. */
export function stateWords({ status, task, approvals }: SessionBoard): string {
  if (status === 'closed') return 'Closed';
  if (approvals.length > 0) return 'Waits for your approval';
  if (!task) return 'Ready for your next words';
  switch (task.stage) {
    case 'compacting':
      return 'Summarises the thread';
    case 'pausing':
      return 'Asks the model again soon';
    case 'judging':
      return 'Looks at what the model wants';
    case 'working':
      return 'Works';
    default:
      return 'The model answers';
  }
}

export function questionFor({ kind, again, where }: SessionApproval): string {
  if (again === 'unknown') return 'Run this again? What came of it before is not known.';
  if (again === 'denied') return 'Run this outside of the sandbox? Inside it was not allowed.';
  if (kind === 'patch') return 'Make this change?';
  if (kind === 'mcp') return 'Use this tool?';
  return where === 'outside' ? 'Run this command outside of the sandbox?' : 'Run this command?';
}

/** What writing does now, before it is done. */
export function composerHint({ status, task, approvals }: SessionBoard, fork: number | null): string {
  if (status === 'closed') return 'This session is closed. Open a new one, or fork it with resume_from.';
  if (fork !== null) return `What you send goes on from turn ${fork}. What came after it is kept.`;
  if (!task) return 'What should be done?';
  if (approvals.length > 0) {
    return `Writing now interrupts turn ${task.turn}. Answer the approval first, or type to change course.`;
  }
  return `Writing now interrupts turn ${task.turn}.`;
}

type Change = { type?: unknown; content?: unknown; unified_diff?: unknown; move_path?: unknown };

/** Changes by path as one patch, what lies outside of the folder first. */
export function patchOf(changes: Readonly<Record<string, unknown>>, cwd: string): string {
  const files = Object.entries(changes) as [string, Change][];
  const outside = (path: string): number =>
    (path.startsWith('/') && !path.startsWith(`${cwd}/`)) || path.startsWith('..') ? 0 : 1;
  return files
    .toSorted(([one], [other]) => outside(one) - outside(other))
    .map(([path, change]) => filePatch(path, change))
    .join('\n');
}

function filePatch(path: string, { type, content, unified_diff: diff, move_path: moved }: Change): string {
  const name = path.replaceAll('\n', '␤');
  const to = typeof moved === 'string' ? `${name} → ${moved.replaceAll('\n', '␤')}` : name;
  const head = `diff --git a/${name} b/${to}`;
  if (typeof diff === 'string') return `${head}\n${diff}`;
  const lines = typeof content === 'string' ? content.replace(/\n$/, '').split('\n') : [];
  const [mark, place] = type === 'delete' ? ['-', `-1,${lines.length} +0,0`] : ['+', `-0,0 +1,${lines.length}`];
  return [head, `@@ ${place} @@`, ...lines.map((line) => `${mark}${line}`)].join('\n');
}
