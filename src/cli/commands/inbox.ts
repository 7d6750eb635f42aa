import { BatonError } from '../../contracts/shared/errors.js';
import type { Desk } from '../../engine/desk.js';
import type { Answer, GivenAnswer } from '../../engine/inbox/answer.js';
import type { InboxRow } from '../../engine/ports.js';
import { itemObject } from '../../engine/shown/item-object.js';
import { age } from '../age.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { leftLying } from '../job/goes-on-with.js';
import { answerWays, itemLine, itemLines, LIST_HEAD } from '../job/item-view.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { untilStopped } from '../until-stopped.js';

const PAGE = 100;
const ITEMS = { min: 0, max: Number.MAX_SAFE_INTEGER };
const WATCH_LOOK_MS = 500;

export const runInbox: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const [number] = parsed.positionals;
    if (number !== undefined) return showItem(desk, await itemOf(desk, number), parsed, io);
    const after = countOption(parsed, 'after', ITEMS) ?? 0;
    if (parsed.values.watch) return watchItems(desk, after, parsed, io);
    const shown = await desk.inbox.open(after, PAGE);
    const next = shown.length === PAGE ? String(shown.at(-1)?.item) : null;
    if (parsed.values.json) {
      const items = await Promise.all(shown.map((row) => itemObject(desk.inbox, row)));
      io.out(`${printableJson({ items, next })}\n`);
    } else {
      for (const line of listLines(shown, desk.clock.nowMs())) io.out(`${line}\n`);
      if (next !== null) io.out(`More: baton inbox --after ${next}\n`);
    }
    return 0;
  });

export const runAnswer: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const answer = readAnswer(parsed);
    const actor = io.env.USER ?? 'cli';
    const rows: InboxRow[] = [];
    for (const number of parsed.positionals) rows.push(await itemOf(desk, number));
    const jobs: string[] = [];
    for (const row of rows) {
      const { said, job } = await desk.inbox.answer(row, answer, { actor });
      if (job !== null) jobs.push(job);
      if (parsed.values.json) continue;
      io.err(`${row.item} answered by ${printable(actor)}. ${printable(said)}\n`);
      const next = await leftLying(desk, row.run);
      if (next !== undefined) io.err(`  Nobody drives it now: ${printable(next)}\n`);
    }
    if (parsed.values.json) {
      const objects = await Promise.all(jobs.map((run) => desk.jobs.show(run)));
      io.out(`${printableJson(objects.length === 1 ? objects[0] : { items: objects, next: null })}\n`);
    }
    return 0;
  });

function readAnswer(parsed: Parsed): GivenAnswer {
  const text = textOption(parsed, 'guidance') ?? textOption(parsed, 'text');
  const raise = textOption(parsed, 'raise');
  const decision = decisionIn(parsed);
  if (decision === undefined && text === undefined && raise === undefined) {
    throw new BatonError('USAGE', 'say one of --approve, --deny, --guidance "…" or --raise N');
  }
  if (raise !== undefined && !/^\$?\d+(\.\d+)?$/.test(raise)) {
    throw new BatonError('USAGE', `--raise takes the new total as a number, not ${JSON.stringify(raise)}`);
  }
  const always = alwaysOf(parsed);
  return {
    ...(always && { always }),
    ...(decision && { decision }),
    ...(text !== undefined && { text }),
    ...(raise !== undefined && { raise: Number(raise.replace('$', '')) }),
  };
}

function decisionIn({ values }: Parsed): GivenAnswer['decision'] {
  const { approve, deny, abort } = values;
  const said = [approve && 'approve', deny && 'deny', abort && 'abort'].filter(
    (one) => one !== undefined && one !== false,
  );
  if (said.length > 1) throw new BatonError('USAGE', `say --${said.join(' or --')}, not both`);
  if (!values['for-session']) return said[0] as GivenAnswer['decision'];
  if (deny || abort) throw new BatonError('USAGE', '--for-session goes with --approve');
  return 'approve_for_session';
}

function alwaysOf({ values }: Parsed): Answer['always'] {
  const days = /^(\d{1,4})d$/.exec(String(values.for ?? ''))?.[1];
  if (values.for !== undefined && (days === undefined || !values.always)) {
    throw new BatonError('USAGE', '--for takes days, as in 30d, and goes with --always');
  }
  if (!values.always) return undefined;
  if (!values.approve)
    throw new BatonError('USAGE', '--always goes with --approve; for a no, use: baton rule add deny "…"');
  return { days: days === undefined ? null : Number(days) };
}

async function showItem(desk: Desk, row: InboxRow, parsed: Parsed, io: Io): Promise<number> {
  const object = await itemObject(desk.inbox, row);
  if (parsed.values.json) io.out(`${printableJson(object)}\n`);
  else {
    const known = {
      details: object.details,
      answer: await desk.inbox.outcome(row),
      isWhole: parsed.values.all === true,
    };
    for (const line of itemLines(row, known, desk.clock.nowMs())) io.out(`${line}\n`);
  }
  return 0;
}

/** Every item once, as it comes, until stopped. */
async function watchItems(desk: Desk, after: number, parsed: Parsed, io: Io): Promise<number> {
  const stop = untilStopped();
  let last = after;
  try {
    while (!stop.signal.aborted) {
      for (const row of await desk.inbox.open(last, PAGE)) {
        last = row.item;
        if (parsed.values.json) io.out(`${printableJson(await itemObject(desk.inbox, row))}\n`);
        else io.out(`${itemLine(row, desk.clock.nowMs())}\n`);
      }
      await new Promise<void>((resolve) => {
        const cancel = desk.clock.after(WATCH_LOOK_MS, resolve);
        stop.signal.addEventListener('abort', () => {
          cancel();
          resolve();
        });
      });
    }
    return stop.why() === 'interrupted' ? 130 : 0;
  } finally {
    stop.forget();
  }
}

function listLines(rows: readonly InboxRow[], nowMs: number): string[] {
  const [oldest] = rows;
  if (!oldest) return ['Nothing waits for you.'];
  const waits = rows.length === 1 ? '1 waits' : `${rows.length} wait`;
  return [
    LIST_HEAD,
    ...rows.map((row) => itemLine(row, nowMs)),
    '',
    `${waits}, oldest ${age(oldest.askedAt, nowMs)}.   look: baton inbox ${oldest.item}`,
    `answer: ${answerWays(oldest)[0]?.[0] ?? ''}`,
  ];
}

function itemOf({ inbox }: Desk, number: string): Promise<InboxRow> {
  if (/^[1-9]\d{0,14}$/.test(number)) return inbox.item(Number(number));
  throw new BatonError('ITEM_NOT_FOUND', `there is no item ${JSON.stringify(number)}`, { item: number });
}
