import { type Failure, type FuzzReport, SLOW_MICROS } from './fuzz.js';

/** The report as lines for people; everything needed to repeat a failure is in it. */
export function describeReport(report: FuzzReport): string {
  const { seed, inputs, accepted, refused, slowest, slow, seconds, failure } = report;
  const total = Object.values(refused).reduce((sum, count) => sum + count, 0);
  const lines = [
    `seed ${seed}: ${inputs} inputs, ${accepted} accepted, ${total} refused`,
    ...byCount(refused).map(([code, count]) => `  ${String(count).padStart(8)}  ${code}`),
    `slowest verdict ${slowest.micros} µs: ${slowest.contract}, ${slowest.bytes} bytes, input ${slowest.input}`,
    `verdicts over ${SLOW_MICROS / 1000} ms, best of three: ${slow}`,
    `${seconds.toFixed(1)} s, ${Math.round((seconds * 1e6) / Math.max(1, inputs))} µs per input with all its judges`,
  ];
  return [...lines, failure ? describeFailure(failure) : 'no disagreement'].join('\n');
}

function byCount(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).sort(([, a], [, b]) => b - a);
}

function describeFailure({ seed, input, complaint, smallest }: Failure): string {
  const { oracle, contract, strict, baton, expected } = complaint;
  return [
    `DISAGREEMENT (${oracle}) at seed ${seed}, input ${input.number}`,
    `contract ${contract}${strict ? ', strict' : ''}`,
    `Baton:    ${baton}`,
    `expected: ${expected}`,
    ...(oracle === 'against the assignment' ? [`assignment: ${JSON.stringify(input.packet)}`] : []),
    `smallest payload found: ${shown(smallest)}`,
    `again: npm run fuzz -- --seed ${seed} --from ${input.number} --inputs 1`,
  ].join('\n');
}

/** Escaped, so that a hostile payload cannot write into the terminal. */
export function shown(payload: string | Uint8Array): string {
  if (typeof payload !== 'string') return `bytes ${Buffer.from(payload).toString('hex')}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape
  return payload.replaceAll(/[\u0000-\u001f\u007f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
