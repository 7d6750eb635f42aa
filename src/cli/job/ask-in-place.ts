import { isBatonError } from '../../contracts/shared/errors.js';
import type { Desk } from '../../engine/desk.js';
import type { Answer } from '../../engine/inbox/answer.js';
import type { InboxRow } from '../../engine/ports.js';
import type { Io } from '../io.js';
import { printable } from '../printable.js';
import { reportError } from '../report-error.js';
import { isNetwork, questionLines } from './item-view.js';

type Choice = {
  key: string;
  words: string;
  act: (ask: Ask, desk: Desk, run: string, io: Io) => Promise<Answer | Again>;
};
type Ask = (question: string) => Promise<string | undefined>;
/** Shown something; the question stands. */
type Again = 'again';

const say = (words: string, of: (text: string) => Answer): Choice['act'] => {
  return async (ask) => {
    const text = (await ask(`  ${words}: `))?.trim();
    return text ? of(text) : 'again';
  };
};
const diff: Choice = {
  key: 'd',
  words: 'look at the diff',
  async act(_ask, desk, run, io) {
    const patch = await desk.diff(run);
    for (const line of (patch === '' ? 'Nothing was changed.' : patch).split('\n')) io.err(`${printable(line)}\n`);
    return 'again';
  },
};
const end: Choice = { key: 'c', words: 'end the job', act: async () => ({ decision: 'deny' }) };

const always: Choice = {
  key: 'a',
  words: 'always in this repository',
  act: async () => ({ decision: 'approve', always: { days: null } }),
};

const CHOICES: Readonly<Record<'gate' | 'wanted' | 'limit' | 'turn' | 'stuck', readonly Choice[]>> = {
  wanted: [
    { key: 'y', words: 'yes, this once', act: async () => ({ decision: 'approve' }) },
    { key: 'n', words: 'no', act: say('what the agent is told', (text) => ({ decision: 'deny', text })) },
    diff,
  ],
  gate: [
    { key: 'y', words: 'yes', act: async () => ({ decision: 'approve' }) },
    { key: 'n', words: 'no, with a reason', act: say('what is wrong', (text) => ({ decision: 'deny', text })) },
    diff,
  ],
  limit: [
    {
      key: 'r',
      words: 'raise it',
      act: say('the new total', (text) => ({ raise: Number(text.replace(/^\$/, '')) })),
    },
    end,
  ],
  turn: [
    { key: 'y', words: 'done', act: say('what you have seen', (text) => ({ decision: 'approve', text })) },
    { key: 'n', words: 'not done', act: say('what is missing', (text) => ({ decision: 'deny', text })) },
    diff,
  ],
  stuck: [
    { key: 'g', words: 'go on with guidance', act: say('what the agent is told', (text) => ({ text })) },
    { key: 'r', words: 'again as it is', act: async () => ({}) },
    diff,
    end,
  ],
};

/** Asks the person at the terminal what waits for one; true when they answered and the job goes on or has ended. */
export async function askInPlace(desk: Desk, io: Io, item: number): Promise<boolean> {
  const { ask } = io;
  if (!ask) return false;
  const row = await desk.inbox.item(item);
  const choices = choicesOf(row);
  for (const line of questionLines(row, await desk.inbox.details(row))) io.err(`${line}\n`);
  const offer = [...choices.map(({ key, words }) => `${key} ${words}`), 'l later'].join(' · ');
  for (;;) {
    const key = (await ask(`  ${offer}  > `))?.trim().toLowerCase();
    if (key === undefined || key === 'l' || key === '') return false;
    const choice = choices.find((one) => one.key === key);
    const answer = choice ? await choice.act(ask, desk, row.run, io) : 'again';
    if (answer === 'again') continue;
    if (await isTaken(desk, io, row, answer)) return true;
  }
}

/** What is refused is said, and the question stands; somebody else may have answered meanwhile. */
async function isTaken(desk: Desk, io: Io, row: InboxRow, answer: Answer): Promise<boolean> {
  try {
    await desk.inbox.answer(row, answer, { actor: io.env.USER ?? 'cli' });
    return true;
  } catch (failure) {
    reportError(io, failure, false);
    return isBatonError(failure) && failure.code === 'ITEM_CLOSED';
  }
}

function choicesOf({ kind, title }: InboxRow): readonly Choice[] {
  if (title.startsWith('your turn')) return CHOICES.turn;
  if (kind === 'limit') return CHOICES.limit;
  if (isNetwork({ title })) return [...CHOICES.wanted.slice(0, 1), always, ...CHOICES.wanted.slice(1)];
  if (kind === 'exec_approval' || kind === 'patch_approval') return CHOICES.wanted;
  return kind === 'approval' || kind === 'protected' ? CHOICES.gate : CHOICES.stuck;
}
