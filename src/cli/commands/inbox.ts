import { BatonError } from '../../contracts/shared/errors.js';
import type { InboxRow } from '../../engine/ports.js';
import { type Baton, type BatonCommand, inBaton } from '../opened-baton.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const PAGE = 100;
const ITEMS = { min: 0, max: Number.MAX_SAFE_INTEGER };

export const runInbox: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const [number] = parsed.positionals;
    const shown =
      number === undefined
        ? await baton.store.inbox({ open: true, after: countOption(parsed, 'after', ITEMS) ?? 0, limit: PAGE })
        : [await itemOf(baton, number)];
    const next = number === undefined && shown.length === PAGE ? String(shown.at(-1)?.item) : null;
    const nowMs = baton.clock.nowMs();
    if (parsed.values.json) {
      const items = shown.map(itemObject);
      io.out(`${printableJson(number === undefined ? { items, next } : items[0])}\n`);
      return 0;
    }
    if (shown.length === 0) {
      io.out('Nothing waits for you.\n');
      return 0;
    }
    for (const { item, run, title, question, askedAt } of shown) {
      const age = `${Math.max(0, Math.round((nowMs - Date.parse(askedAt)) / 60_000))} min`;
      io.out(`${printable(`${String(item).padStart(4)}  ${age.padStart(8)}  ${title.padEnd(24)} ${run}`)}\n`);
      if (number !== undefined) io.out(`      ${printable(question)}\n`);
    }
    if (next !== null) io.out(`More: baton inbox --after ${next}\n`);
    const [first] = shown;
    io.out(`\n${first ? ways(first) : ''}\n`);
    return 0;
  });

export const runAnswer: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const actor = io.env.USER ?? 'cli';
    const text = textOption(parsed, 'guidance') ?? textOption(parsed, 'text');
    const approve = parsed.values.approve === true;
    const deny = parsed.values.deny === true;
    if ([approve, deny && text === undefined, text !== undefined].filter(Boolean).length !== 1) {
      throw new BatonError('USAGE', 'say one of --approve, --deny or --guidance "…"');
    }
    const rows: InboxRow[] = [];
    for (const number of parsed.positionals) rows.push(await itemOf(baton, number));
    for (const row of rows) {
      if (row.answeredAt !== null) {
        throw new BatonError('ITEM_CLOSED', `item ${row.item} was answered at ${row.answeredAt}`, { item: row.item });
      }
      const said = await answerItem(baton, row, { approve, deny, text, actor });
      if (!parsed.values.json) io.err(`${row.item} answered. ${printable(said)}\n`);
    }
    if (parsed.values.json) {
      const jobs = rows.filter(({ kind }) => kind !== 'landing');
      const objects = await Promise.all(jobs.map(({ run }) => baton.jobs.show(run)));
      io.out(`${printableJson(objects.length === 1 ? objects[0] : { items: objects, next: null })}\n`);
    }
    return 0;
  });

type Answer = { approve: boolean; deny: boolean; text: string | undefined; actor: string };

async function answerItem(baton: Baton, row: InboxRow, answer: Answer): Promise<string> {
  if (row.kind !== 'landing') {
    await answerJob(baton, row, answer);
    return `${row.run} is ${(await baton.jobs.show(row.run)).status}.`;
  }
  if (answer.approve) throw new BatonError('USAGE', 'a landing takes --guidance to send it back, or --deny to drop it');
  if (answer.deny) {
    await baton.landings.drop(row.run, answer.actor);
    return 'Dropped; the branch is kept.';
  }
  const job = await baton.landings.sendBack(row.run, answer.text, answer.actor);
  return `Sent back as ${job}: baton job run ${job}`;
}

async function answerJob({ jobs }: Baton, { run, kind }: InboxRow, answer: Answer) {
  const { approve, deny, text, actor } = answer;
  const sealed = text === undefined ? undefined : jobs.seal(text);
  const bodies = sealed ? [sealed.body] : [];
  const guidance = sealed?.ref ?? null;
  const gate = kind === 'approval' || kind === 'protected';
  if (approve) return jobs.send(run, { type: 'Approve' }, { actor });
  if (gate) return jobs.send(run, { type: 'Reject', guidance, phase: null }, { actor }, bodies);
  if (deny) return jobs.send(run, { type: kind === 'limit' ? 'Cancel' : 'Terminate' }, { actor });
  return jobs.send(run, { type: 'Resubmit', guidance, phase: null }, { actor }, bodies);
}

async function itemOf({ store }: Baton, number: string): Promise<InboxRow> {
  const item = /^[1-9]\d{0,14}$/.test(number) ? Number(number) : undefined;
  const [row] = item === undefined ? [] : await store.inbox({ open: false, after: item - 1, limit: 1 });
  if (!row || row.item !== item)
    throw new BatonError('ITEM_NOT_FOUND', `there is no item ${JSON.stringify(number)}`, { item: number });
  return row;
}

function itemObject({ item, run, kind, title, question, askedAt, expiresAtMs, answeredAt }: InboxRow) {
  return {
    item,
    run_id: run,
    kind,
    status: answeredAt === null ? 'open' : 'closed',
    title,
    question,
    created_at: askedAt,
    expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    details: {},
  };
}

function ways({ item, kind, run }: InboxRow): string {
  if (kind === 'limit') return `baton job raise ${printable(run)} --max-cost …`;
  if (kind === 'approval' || kind === 'protected') return `baton answer ${item} --approve | --deny [--guidance "…"]`;
  return `baton answer ${item} --guidance "…" | --deny`;
}
