import { shown } from '../../fuzz/describe-report.js';
import type { AgreeReport, Disagreement, Tally } from './agree.js';

/** The report as lines for people; everything needed to repeat a disagreement is in it. */
export function describeAgreement({ seed, tallies, disagreements, seconds }: AgreeReport): string {
  const all = Object.values(tallies);
  const packets = sum(all.map((tally) => tally.packets));
  const differing = sum(all.map((tally) => tally.disagreements));
  return [
    `seed ${seed}: ${packets} packets in ${seconds.toFixed(1)} s, disagreements = ${differing}`,
    ...Object.entries(tallies).flatMap(([name, tally]) => describeTally(name, tally)),
    ...disagreements.map((found) => describeOne(seed, found)),
  ].join('\n');
}

function describeTally(name: string, { packets, allowed, refused, disagreements }: Tally): string[] {
  const codes = Object.entries(refused).sort(([, one], [, other]) => other - one);
  return [
    `${name}: ${packets} packets, ${allowed} allowed, ${packets - allowed} refused, disagreements = ${disagreements}`,
    ...codes.map(([code, count]) => `  ${String(count).padStart(7)}  ${code}`),
  ];
}

function describeOne(seed: number, { number, judgement, strict, baton, expected, packet }: Disagreement): string {
  return [
    `DISAGREEMENT on ${judgement}${strict ? ', strict' : ''}: Baton says ${baton}, the second opinion ${expected}`,
    `  ${shown(packet)}`,
    `  again: npm run agree -- --seed ${seed} --from ${number} --packets 1`,
  ].join('\n');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
