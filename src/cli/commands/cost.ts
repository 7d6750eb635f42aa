import type { CostKey, CostRow } from '../../contracts/api/cost-shapes.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { type LookingCommand, whileLooking } from '../opened-desk.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const KEY_WIDTH = 32;

export const runCost: LookingCommand = (parsed, io, open) =>
  whileLooking(open, async ({ spent }) => {
    const by = (textOption(parsed, 'by') ?? 'agent') as CostKey;
    const rows = await spent(by, daysIn(textOption(parsed, 'since')));
    if (parsed.values.json) io.out(`${printableJson({ items: rows, next: null })}\n`);
    else for (const line of linesOf(rows, by)) io.out(`${printable(line)}\n`);
    return 0;
  });

function daysIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days === undefined) throw new BatonError('USAGE', `--since takes days, as in 7d, not ${JSON.stringify(text)}`);
  return Number(days);
}

function linesOf(rows: readonly CostRow[], by: CostKey): string[] {
  if (rows.length === 0) return ['Nothing was spent.'];
  const sum = rows.reduce((all, { cost_usd }) => all + cost_usd, 0);
  const waste = rows.reduce((all, { wasted_usd }) => all + wasted_usd, 0);
  return [
    line(by.toUpperCase(), 'COST', 'WASTED', 'TOKENS', 'HANDOFFS'),
    ...rows.map(({ key, cost_usd, wasted_usd, tokens, handoffs }) =>
      line(key || '-', money(cost_usd), money(wasted_usd), String(tokens), String(handoffs)),
    ),
    '',
    `${money(sum)} in all, ${money(waste)} of it for work that was lost, turned down or called off.`,
  ];
}

function line(key: string, cost: string, wasted: string, tokens: string, handoffs: string): string {
  return [
    key.padEnd(KEY_WIDTH),
    cost.padStart(10),
    wasted.padStart(10),
    tokens.padStart(12),
    handoffs.padStart(9),
  ].join(' ');
}

const money = (usd: number): string => `$${usd.toFixed(2)}`;
