import type { Budget } from '../../contracts/api/cost-shapes.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { parseAmount } from '../job/amounts.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const NAME_WIDTH = 32;
const TOKENS_MAX = 1e15;

export const runBudgetSet: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const [text = ''] = parsed.positionals;
    const project = textOption(parsed, 'project') ?? null;
    const tokens = countOption(parsed, 'tokens', { min: 1, max: TOKENS_MAX }) ?? null;
    const usd = text === 'none' ? null : amountOf(text);
    const order = { project, usd_per_day: usd, tokens_per_day: tokens };
    const set = await desk.setBudget(order, { actor: io.env.USER ?? 'cli' });
    const shown = set ?? { project, per: 'day', limit_usd: null, limit_tokens: null };
    if (parsed.values.json) io.out(`${printableJson(shown)}\n`);
    else io.err(`${printable(wordsOf(project, set))}\n`);
    return 0;
  });

export const runBudgetList: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const items = await desk.budgets();
    if (parsed.values.json) io.out(`${printableJson({ items, next: null })}\n`);
    else if (items.length === 0) io.err('No budgets. Set one: baton budget set 20 --project NAME\n');
    else for (const line of linesOf(items)) io.out(`${printable(line)}\n`);
    return 0;
  });

function amountOf(text: string): number {
  if (!/^\$?\d+(\.\d+)?$/.test(text))
    throw new BatonError('USAGE', `baton budget set takes dollars, such as 20, or none, not ${JSON.stringify(text)}`);
  return parseAmount(text, 'usd');
}

function wordsOf(project: string | null, set: Budget | null): string {
  const who = project ?? 'all projects together';
  if (!set) return `Nothing limits what ${who} may spend on a day.`;
  return `${who}: ${amounts(set.limit_usd, set.limit_tokens)} a day; ${amounts(set.spent_usd, set.spent_tokens)} spent today.`;
}

function linesOf(items: readonly Budget[]): string[] {
  return [
    line('PROJECT', 'A DAY', 'SPENT', 'LEFT'),
    ...items.map((one) =>
      line(
        one.project ?? '(all)',
        amounts(one.limit_usd, one.limit_tokens),
        amounts(one.limit_usd === null ? null : one.spent_usd, one.limit_tokens === null ? null : one.spent_tokens),
        amounts(one.left_usd, one.left_tokens),
      ),
    ),
    '',
    `A new day begins at ${items[0]?.resets_at}.`,
  ];
}

function line(project: string, limit: string, spent: string, left: string): string {
  return `${project.padEnd(NAME_WIDTH)} ${[limit, spent, left].map((cell) => cell.padStart(14)).join(' ')}`;
}

function amounts(usd: number | null, tokens: number | null): string {
  const parts = [...(usd === null ? [] : [`$${usd.toFixed(2)}`]), ...(tokens === null ? [] : [`${tokens} tokens`])];
  return parts.join(', ');
}
