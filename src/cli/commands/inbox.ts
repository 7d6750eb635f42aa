import { BatonError } from '../../contracts/shared/errors.js';
import type { InboxRow } from '../../engine/ports.js';
import { type Baton, type BatonCommand, inBaton } from '../opened-baton.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const PAGE = 1_000;

export const runInbox: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const [number] = parsed.positionals;
    const rows = await baton.store.inbox({ open: number === undefined, limit: PAGE });
    const shown = number === undefined ? rows : [pick(rows, number)];
    const nowMs = baton.clock.nowMs();
    if (parsed.values.json) {
      const items = shown.map(itemObject);
      io.out(`${printableJson(number === undefined ? { items, next: null } : items[0])}\n`);
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
    const rows = await baton.store.inbox({ open: false, limit: PAGE });
    for (const number of parsed.positionals) {
      const row = pick(rows, number);
      if (row.answeredAt !== null) {
        throw new BatonError('ITEM_CLOSED', `item ${number} was answered at ${row.answeredAt}`, { item: row.item });
      }
      const said = await answerItem(baton, row, { approve, deny, text, actor });
      if (!parsed.values.json) io.err(`${row.item} answered. ${printable(said)}\n`);
    }
    if (parsed.values.json) {
      const jobs = parsed.positionals.map((number) => pick(rows, number)).filter(({ kind }) => kind !== 'landing');
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

function pick(rows: readonly InboxRow[], number: string): InboxRow {
  const row = rows.find(({ item }) => String(item) === number);
  if (!row) throw new BatonError('ITEM_NOT_FOUND', `there is no item ${JSON.stringify(number)}`, { item: number });
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
