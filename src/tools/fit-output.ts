import type { Evidence } from './tool.js';

export const OUTPUT_BYTES_MAX = 512 * 1024;
const SHOWN_CHARS = 2_000;

export type StepResult = { step_index: number; tool: string; result: unknown; duration_ms: number };
export type Output = { status: 'success' | 'partial' | 'error'; results: StepResult[]; evidence: Evidence[] };

/** Shortens the largest results until all of it fits, and says so in their place; then the last evidence goes. */
export function fitOutput(output: Output, bytesMax: number = OUTPUT_BYTES_MAX): Output {
  const sizes = output.results.map(({ result }, index) => ({ index, bytes: bytesOf(result) }));
  let bytes = bytesOf(output);
  if (bytes <= bytesMax) return output;
  const results = [...output.results];
  for (const { index, bytes: whole } of sizes.sort((a, b) => b.bytes - a.bytes || a.index - b.index)) {
    const step = results[index];
    if (bytes <= bytesMax || !step) break;
    const short = shortened(step.result, whole);
    if (bytesOf(short) >= whole) break;
    bytes += bytesOf(short) - whole;
    results[index] = { ...step, result: short };
  }
  const evidence = [...output.evidence];
  while (bytes > bytesMax && evidence.length > 0) bytes -= bytesOf(evidence.pop()) + 1;
  return { ...output, results, evidence };
}

function shortened(result: unknown, bytes: number): unknown {
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
  const beginning = text.slice(0, SHOWN_CHARS).replace(/[\ud800-\udbff]$/, '');
  return { truncated: true, left_out_bytes: Math.max(0, bytes - Buffer.byteLength(beginning)), beginning };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? 'null');
}
