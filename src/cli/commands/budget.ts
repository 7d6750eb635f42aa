import { budgetLimits } from '../../engine/job/job-options.js';
import { budgetObject } from '../../engine/shown/budget-object.js';
import { parseAmount } from '../job/amounts.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const NAME_WIDTH = 32;
const TOKENS_MAX = 1e15;
type Shown = ReturnType<typeof budgetObject>;

export const runBudgetSet: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async ({ budgets }) => {
    const [text = ''] = parsed.positionals;
    const project = textOption(parsed, 'project') ?? null;
    const tokens = countOption(parsed, 'tokens', { min: 1, max: TOKENS_MAX }) ?? null;
    await budgets.set(project, budgetLimits(text === 'none' ? null : parseAmount(text, 'USD'), tokens), {
      actor: io.env.USER ?? 'cli',
    });
    const { items, resetsAtMs } = await budgets.list();
    const set = items.find((one) => one.project === project);
    const shown = set ? budgetObject(set, resetsAtMs) : { project, per: 'day', limit_usd: null, limit_tokens: null };
    if (parsed.values.json) io.out(`${printableJson(shown)}\n`);
    else io.err(`${printable(wordsOf(project, set && budgetObject(set, resetsAtMs)))}\n`);
    return 0;
  });

export const runBudgetList: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async ({ budgets }) => {
    const { items, resetsAtMs } = await budgets.list();
    const shown = items.map((one) => budgetObject(one, resetsAtMs));
    if (parsed.values.json) io.out(`${printableJson({ items: shown, next: null })}\n`);
    else if (shown.length === 0) io.err('No budgets. Set one: baton budget set 20 --project NAME\n');
    else for (const line of linesOf(shown)) io.out(`${printable(line)}\n`);
    return 0;
  });

function wordsOf(project: string | null, set: Shown | undefined): string {
  const who = project ?? 'all projects together';
  if (!set) return `Nothing limits what ${who} may spend on a day.`;
  return `${who}: ${amounts(set.limit_usd, set.limit_tokens)} a day; ${amounts(set.spent_usd, set.spent_tokens)} spent today.`;
}

function linesOf(items: readonly Shown[]): string[] {
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
