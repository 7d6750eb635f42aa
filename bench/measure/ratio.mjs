// Machines are noisy: every figure is a ratio to a baseline measured in the same round, the rounds interleaved.

/** Runs baseline and candidates alternately; returns per candidate the ratios candidate ÷ baseline, and its values. */
export async function interleave(rounds, baseline, candidates) {
  const ratios = new Map(Object.keys(candidates).map((name) => [name, []]));
  const values = new Map(Object.keys(candidates).map((name) => [name, []]));
  const baselines = [];
  for (let round = 0; round < rounds; round += 1) {
    const base = await baseline();
    baselines.push(base);
    for (const [name, measure] of Object.entries(candidates)) {
      const value = await measure();
      values.get(name).push(value);
      ratios.get(name).push(value / base);
    }
  }
  return { ratios, baselines, values };
}

export function median(values) {
  return percentile(values, 0.5);
}

/** Between two values it lies between them. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place % 1);
}

export function spread(values, digits = 2) {
  return `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;
}

export async function elapsedMs(work) {
  const started = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - started) / 1e6;
}
