// Machines are noisy: every figure is a ratio to a baseline measured in the same round, the rounds interleaved.
import { parseArgs } from 'node:util';

export function roundsOf(argv, usual) {
  const { values } = parseArgs({ args: argv, options: { rounds: { type: 'string' } } });
  return Number(values.rounds ?? usual);
}

/** Runs baseline and candidates alternately; returns per candidate the ratios candidate ÷ baseline. */
export async function interleave(rounds, baseline, candidates) {
  const ratios = new Map(Object.keys(candidates).map((name) => [name, []]));
  const baselines = [];
  for (let round = 0; round < rounds; round += 1) {
    const base = await baseline();
    baselines.push(base);
    for (const [name, measure] of Object.entries(candidates)) ratios.get(name).push((await measure()) / base);
  }
  return { ratios, baselines };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function spread(values, digits = 2) {
  return `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;
}
