/** What an agent says it used. It is believed only where nothing was metered, and never beyond these bounds. */
export type ReportedUsage = Figures & { models?: readonly (Figures & { model: string })[] };
type Figures = { inputTokens: number; outputTokens: number; costMicroUsd: number };

/** A job of ten billion tokens or a million dollars is a mistake of the agent, not a bill. */
const TOKENS_MAX = 10_000_000_000;
const COST_USD_MAX = 1_000_000;
const MICRO_USD = 1_000_000;
const MODEL_LENGTH_MAX = 100;

/** Garbage is a warning, not a fault: the work itself may be good. */
export function reportedUsage(answer: object): { usage: ReportedUsage | null; warnings: string[] } {
  const { x_usage: said } = answer as { x_usage?: unknown };
  if (said === undefined || said === null) return { usage: null, warnings: [] };
  if (typeof said !== 'object' || Array.isArray(said)) return { usage: null, warnings: ['x_usage is not an object'] };
  const warnings: string[] = [];
  const figure = (name: string, max: number): number => {
    const value = (said as Record<string, unknown>)[name];
    if (value === undefined || value === null) return 0;
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
      warnings.push(`x_usage.${name} is not a number from 0 up and was left out`);
      return 0;
    }
    if (value <= max) return value;
    warnings.push(`x_usage.${name} is above ${max} and was cut to it`);
    return max;
  };
  const usage = {
    inputTokens: Math.round(figure('input_tokens', TOKENS_MAX)),
    outputTokens: Math.round(figure('output_tokens', TOKENS_MAX)),
    costMicroUsd: Math.round(figure('cost_usd', COST_USD_MAX) * MICRO_USD),
  };
  const { model } = said as { model?: unknown };
  if (model !== undefined && typeof model !== 'string') warnings.push('x_usage.model is not a text');
  const nothing = usage.inputTokens + usage.outputTokens + usage.costMicroUsd === 0;
  if (nothing) return { usage: null, warnings };
  const name = typeof model === 'string' ? model.trim().slice(0, MODEL_LENGTH_MAX) : '';
  return { usage: name === '' ? usage : { ...usage, models: [{ model: name, ...usage }] }, warnings };
}
