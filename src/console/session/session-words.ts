import type { SessionApproval, SessionBoard, SessionCall, SessionCallState, SessionStop } from '../../client/index.js';
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

const PLAN_LOOKS: Readonly<Record<string, Look>> = {
  completed: { glyph: 'tick', tone: 'ok', word: 'done' },
  in_progress: { glyph: 'arc', tone: 'run', word: 'under way' },
  pending: { glyph: 'ring', tone: 'rest', word: 'to do' },
};

/** How a step of the plan stands. While nothing runs, none of them is under way. */
export function planLook(status: string, runs: boolean): Look {
  if (status === 'in_progress' && !runs) return { glyph: 'bars', tone: 'rest', word: 'begun' };
  return PLAN_LOOKS[status] ?? { glyph: 'ring', tone: 'rest', word: status };
}

/** A command as it would be typed; of a shell that gets one line, that line. */
export function commandText(command: readonly string[]): string {
  return shellOf(command) === null ? command.map(quoted).join(' ') : (command[2] ?? '');
}

/** The shell that is given one line, when a command is that. */
export function shellOf(command: readonly string[]): string | null {
  const [shell = '', flag = '', line, ...more] = command;
  const isLine = /(^|\/)(ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && more.length === 0;
  return isLine && line !== undefined ? `${shell} ${flag}` : null;
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

/** What became of the last task, where that is more than its end. */
export function stopLook({ code }: SessionStop): Look {
  if (code === 'LIMIT_REACHED') return { glyph: 'hexagon', tone: 'limit', word: 'At its limit' };
  return { glyph: 'octagon', tone: 'bad', word: 'Last task failed' };
}

/** How it stands: a shape, a colour and one sentence. */
export function stateLook(board: SessionBoard): Look {
  const { status, task, approvals, stopped } = board;
  const word = stateWords(board);
  if (approvals.length > 0) return { glyph: 'diamond', tone: 'you', word };
  if (task) return { glyph: 'arc', tone: 'run', word };
  if (stopped) return { ...stopLook(stopped), word };
  return { glyph: status === 'closed' ? 'slash' : 'ring', tone: 'rest', word };
}

/** How it is gone on with in a terminal, with what raises its limit when that is needed. */
export function resumeCommand({ run_id: run, stopped }: SessionBoard): string {
  return `baton chat --resume ${run}${stopped?.raise ? ` ${stopped.raise}` : ''}`;
}

/** One sentence: what state, and what comes next. */
function stateWords({ status, task, approvals, stopped }: SessionBoard): string {
  if (status === 'closed') return 'Closed';
  if (approvals.length > 0) return 'Waits for your approval';
  if (!task && stopped?.code === 'LIMIT_REACHED') return 'At its limit. Raise it to go on';
  if (!task && stopped) return 'The last task failed. Ready for your next words';
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

export function questionFor({ kind, again, where }: Pick<SessionApproval, 'kind' | 'again' | 'where'>): string {
  if (again === 'unknown') return 'Run this again? What came of it before is not known.';
  if (again === 'denied') return 'Run this outside of the sandbox? Inside it was not allowed.';
  if (kind === 'patch') return 'Make this change?';
  if (kind === 'mcp') return 'Use this tool?';
  return where === 'outside' ? 'Run this command outside of the sandbox?' : 'Run this command?';
}

/** What writing does now, before it is done. */
export function composerHint({ status, task, approvals, stopped }: SessionBoard, fork: number | null): string {
  if (status === 'closed') return 'This session is closed. Open a new one, or fork it with resume_from.';
  if (fork !== null) return `What you send goes on from turn ${fork}. What came after it is kept.`;
  if (!task && stopped?.code === 'LIMIT_REACHED') return 'At its limit: raise it first, with the command above.';
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
