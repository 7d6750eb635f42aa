import type { RunRow } from '../../engine/ports.js';
import { age } from '../age.js';
import { grouped } from '../grouped-number.js';
import { printable } from '../printable.js';
import type { ToneLine } from './change-lines.js';
import { cutToWidth } from './display-width.js';
import type { SessionTrack } from './session-track.js';

const ID_WIDTH = 20;
const AGE_WIDTH = 7;
const SESSIONS_SHOWN = 15;
const HELP_HANG = 11;

const plain = (text: string): ToneLine => ({ text, tone: 'plain' });
const dim = (text: string): ToneLine => ({ text, tone: 'dim' });

export const HELP: readonly ToneLine[] = [
  '/status    how the session stands',
  '/compact   summarise the thread to save room',
  '/resume    go on with another session of this folder',
  '/new       begin a new session',
  '/quit      leave; the session is kept',
  '',
  'Enter      send it; a paste waits for it, too',
  'Alt+Enter  begin a new line; so does Enter behind a \\',
  'Ctrl-C     interrupt what runs. What you send meanwhile interrupts it, too',
  '',
  'When you are asked:',
  'a          allow it once',
  's          allow it for this session',
  'd [why]    deny it; the words behind it are told to the model',
  'x          deny it, and stop the task',
  'v          show all of a change',
].map((text) => ({ ...plain(text), hang: HELP_HANG }));

/** The first lines of a chat. */
export function headLines({ configured }: SessionTrack): ToneLine[] {
  const goes = configured?.resumed === true ? 'goes on in' : 'works in';
  return [
    { text: printable(`${configured?.session_id}   ${configured?.model}   ${policies(configured)}`), tone: 'strong' },
    dim(printable(`  ${goes} ${configured?.cwd}   /help says what can be typed`)),
  ];
}

export function statusLines(track: SessionTrack): ToneLine[] {
  const { configured, context, task, approvals } = track;
  const state = approvals.length > 0 ? 'waits for you' : task === null ? 'waits for what you say' : 'works';
  const facts: [string, string][] = [
    ['model', String(configured?.model)],
    ['folder', String(configured?.cwd)],
    ['asks', policies(configured)],
    ['context', context ? `${grouped(context.tokens)} of ${grouped(context.window)} tokens` : 'nothing yet'],
    ['cost', `${money(track.costUsd)} in all`],
  ];
  return [
    plain(printable(`${track.session}   ${state}`)),
    ...facts.map(([label, words]) => plain(printable(`  ${label.padEnd(8)} ${words}`))),
  ];
}

/** What a task has used, when it has ended. */
export function usedLine({ context, costUsd }: SessionTrack): ToneLine[] {
  const room = context ? [`${grouped(context.tokens)} of ${grouped(context.window)} tokens`] : [];
  return room.length > 0 || costUsd > 0 ? [dim(`  ${[...room, money(costUsd)].join(' · ')}`)] : [];
}

/** Sessions to choose from, by number. */
export function sessionLines(rows: readonly RunRow[], nowMs: number, width: number): ToneLine[] {
  const more = rows.length - SESSIONS_SHOWN;
  const shown = rows.slice(0, SESSIONS_SHOWN).map(({ run, title, status, updatedAt }, index) => {
    const head = `${String(index + 1).padStart(3)}  ${run.padEnd(ID_WIDTH)} ${age(updatedAt, nowMs).padStart(AGE_WIDTH)}  `;
    return plain(
      cutToWidth(printable(`${head}${title || '(nothing said)'}${status === 'idle' ? '' : ` · ${status}`}`), width),
    );
  });
  return more > 0
    ? [...shown, dim(`     … ${more} more that were used before: /resume ID   baton runs --kind session`)]
    : shown;
}

/** Small amounts to the hundredth of a cent: most tasks cost no more. */
export function money(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 1 ? 4 : 2)}`;
}

function policies(configured: SessionTrack['configured']): string {
  const { mode } = (configured?.sandbox_policy ?? {}) as { mode?: string };
  return `${configured?.approval_policy} · ${mode}`;
}
