/** What was used, by the model that was asked. */
export type Figures = { inputTokens: number; outputTokens: number; costMicroUsd: number };
export type ModelUsage = Figures & { model: string };

/** One attempt asks a handful of models; names of more are a provider's nonsense, and count as unknown. */
const MODELS_MAX = 20;
const NAME_LENGTH_MAX = 100;

/** Adds up by name. What comes to nothing is left out, so that a name that was corrected leaves no trace. */
export function addModels(
  one: readonly ModelUsage[] | undefined,
  other: readonly ModelUsage[] | undefined,
): readonly ModelUsage[] {
  const sums = new Map<string, ModelUsage>();
  for (const { model, ...figures } of [...(one ?? []), ...(other ?? [])]) {
    const name = model.slice(0, NAME_LENGTH_MAX);
    const known = sums.get(name);
    if (!known && sums.size >= MODELS_MAX) continue;
    sums.set(name, { model: name, ...sumOf(figures, known) });
  }
  return [...sums.values()].filter((sum) => !isNothing(sum));
}

export function minus({ inputTokens, outputTokens, costMicroUsd }: Figures): Figures {
  return { inputTokens: -inputTokens, outputTokens: -outputTokens, costMicroUsd: -costMicroUsd };
}

/** Each model's part of a whole, and under `unknown` what nobody has named a model for. */
export function byModel(whole: Figures & { models?: readonly ModelUsage[] }): readonly ModelUsage[] {
  const named = addModels(whole.models, undefined);
  const rest = named.reduce<Figures>((left, part) => sumOf(left, minus(part)), figuresOf(whole));
  return isNothing(rest) && named.length > 0 ? named : addModels(named, [{ model: 'unknown', ...rest }]);
}

export function figuresOf({ inputTokens, outputTokens, costMicroUsd }: Figures): Figures {
  return { inputTokens, outputTokens, costMicroUsd };
}

function sumOf(one: Figures, other: Figures | undefined): Figures {
  return {
    inputTokens: one.inputTokens + (other?.inputTokens ?? 0),
    outputTokens: one.outputTokens + (other?.outputTokens ?? 0),
    costMicroUsd: one.costMicroUsd + (other?.costMicroUsd ?? 0),
  };
}

function isNothing({ inputTokens, outputTokens, costMicroUsd }: Figures): boolean {
  return inputTokens === 0 && outputTokens === 0 && costMicroUsd === 0;
}
