import type { JobEvent } from '../../core/job/job-messages.js';
import { printable } from '../printable.js';
import { duration, usd } from './amounts.js';

const SHOWN_MAX = 10;
const HEAD = `   #  ${'PHASE'.padEnd(18)} ${'AGENT'.padEnd(10)} ${'RESULT'.padEnd(12)} ${'TIME'.padStart(7)} ${'COST'.padStart(7)}  EVIDENCE`;

type Attempt = {
  sequence: number;
  phase: string;
  agent: string;
  askedMs: number;
  result: string;
  ms: number;
  microUsd: number;
  evidence: string;
  checks: string[];
};

/** The last attempts of a job, from its last events: what came of each, what it took, and what shows it. */
export function attemptLines(events: readonly JobEvent[]): string[] {
  const attempts: Attempt[] = [];
  for (const event of events) follow(attempts, event);
  const shown = attempts.slice(-SHOWN_MAX);
  if (shown.length === 0) return [];
  const earlier = shown[0] && shown[0].sequence > 0 ? [`      ${shown[0].sequence} earlier: baton job history`] : [];
  return ['', HEAD, ...earlier, ...shown.flatMap(rowsOf)];
}

function follow(attempts: Attempt[], event: JobEvent): void {
  if (event.type === 'HandoffAsked') {
    const { sequence, phase, agent, atMs: askedMs } = event;
    const blank = { result: 'under way', ms: 0, microUsd: 0, evidence: '', checks: [] };
    attempts.push({ sequence, phase, agent, askedMs, ...blank });
  }
  const last = attempts.at(-1);
  if (!last) return;
  switch (event.type) {
    case 'HandoffAnswered':
      last.ms = event.atMs - last.askedMs;
      last.microUsd += event.usage.costMicroUsd;
      return;
    case 'HandoffCollected': {
      const { evidence, missing, reported } = event.reading;
      last.microUsd += reported?.costMicroUsd ?? 0;
      last.evidence = evidenceWords(evidence.length, missing.length);
      return;
    }
    case 'ChecksEnded':
      last.checks = event.checked.results.map(({ argv, exitCode, ms }) => {
        const said = exitCode === 0 ? 'passed' : 'failed';
        return row(
          '',
          'check',
          'baton',
          said,
          duration(ms),
          '–',
          `${argv.join(' ')}${exitCode === 0 ? '' : `, exit ${exitCode}`}`,
        );
      });
      return;
    case 'HandoffEnded':
      last.result = event.cause === null || event.response === 'SUCCESS' ? event.action : event.cause;
      if (last.ms === 0) last.ms = event.atMs - last.askedMs;
      last.microUsd += event.usage.costMicroUsd;
      if (last.evidence === '' && event.reason) last.evidence = event.reason;
      return;
    default:
      return;
  }
}

function evidenceWords(found: number, missing: number): string {
  if (found + missing === 0) return 'none named';
  const files = `${found + missing} ${found + missing === 1 ? 'file' : 'files'}`;
  return missing === 0 ? `${files}, all found` : `${files}, ${missing} missing`;
}

function rowsOf({ sequence, phase, agent, result, ms, microUsd, evidence, checks }: Attempt): string[] {
  return [row(String(sequence), phase, agent, result, duration(ms), usd(microUsd), evidence), ...checks];
}

function row(
  number: string,
  phase: string,
  agent: string,
  result: string,
  time: string,
  cost: string,
  last: string,
): string {
  const head = `${number.padStart(4)}  ${phase.padEnd(18)} ${agent.padEnd(10)} ${result.padEnd(12)}`;
  return printable(`${head} ${time.padStart(7)} ${cost.padStart(7)}  ${last.slice(0, 60)}`.trimEnd());
}
