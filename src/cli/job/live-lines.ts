import type { JobEvent } from '../../core/job/job-messages.js';
import type { EventRow } from '../../engine/ports.js';
import { counted } from '../grouped-number.js';
import type { Io } from '../io.js';
import { mark } from '../mark.js';
import { printable } from '../printable.js';
import { wrapText } from '../wrap-text.js';
import { duration, tokens, usd } from './amounts.js';

const PHASE_WIDTH = 18;
const AGENT_WIDTH = 8;
const WORDS_WIDTH = 74;
const WORDS_LINES_MAX = 4;

type Handoff = { phase: string; agent: string; askedMs: number; microUsd: number; tokens: number; work: string };

/** Tells a person what happens to a job, one finished step a line. */
export class LiveLines {
  private readonly io: Io;
  private readonly textOf: (sha256: string) => Promise<string>;
  private handoff: Handoff | undefined;
  private checks: readonly string[] = [];

  constructor(io: Io, textOf: (sha256: string) => Promise<string>) {
    this.io = io;
    this.textOf = textOf;
  }

  private get marks(): Record<'ok' | 'bad' | 'note', string> {
    return { ok: mark(this.io, 'ok'), bad: mark(this.io, 'bad'), note: mark(this.io, 'note') };
  }

  async tell(event: JobEvent): Promise<void> {
    for (const line of this.linesOf(event)) this.io.err(`  ${line}\n`);
    for (const line of await this.words(event)) this.io.err(`      ${line}\n`);
  }

  /** What the agent says of its work, as its own words. */
  private async words(event: JobEvent): Promise<string[]> {
    if (event.type !== 'HandoffCollected' || !event.reading.summary || !this.handoff) return [];
    const text = await this.textOf(event.reading.summary.sha256);
    return wrapText(printable(`${this.handoff.agent}: "${text.trim()}"`), WORDS_WIDTH).slice(0, WORDS_LINES_MAX);
  }

  private linesOf(event: JobEvent): string[] {
    const { ok, bad, note } = this.marks;
    switch (event.type) {
      case 'WorkspacePrepared':
        return [
          ...event.notes.map((one) => `${note} ${printable(one)}`),
          ...(event.leftOut > 0
            ? [
                `${note} ${counted(event.leftOut, 'uncommitted file')} ${event.leftOut === 1 ? 'is' : 'are'} not included (--dirty takes them)`,
              ]
            : []),
          ...(event.setupMs > 0 ? [`${ok} ${'setup'.padEnd(PHASE_WIDTH)} ${duration(event.setupMs)}`] : []),
        ];
      case 'WorkspaceFailed':
        return [`${bad} workspace          ${printable(event.problem)}`];
      case 'HandoffAsked':
        this.handoff = {
          phase: event.phase,
          agent: event.agent,
          askedMs: event.atMs,
          microUsd: 0,
          tokens: 0,
          work: '',
        };
        this.checks = [];
        return [];
      case 'HandoffAnswered':
        this.count(event.usage);
        return [];
      case 'HandoffCollected':
        return this.collected(event);
      case 'ChecksEnded':
        this.checks = event.checked.results.map(({ argv, exitCode, ms }) => {
          const mark = exitCode === 0 ? ok : bad;
          const said = exitCode === 0 ? 'passed' : `failed, exit ${exitCode ?? 'by a signal'}`;
          return `${mark} ${'check'.padEnd(PHASE_WIDTH)} ${printable(argv.join(' '))}: ${said}   ${duration(ms)}`;
        });
        return this.checks.slice();
      case 'HandoffEnded':
        return this.ended(event);
      case 'HandoffParked':
        return [`${note} ${printable(event.reason)}`];
      case 'HandoffUnparked':
        return [`${ok} there is something left to spend; it goes on`];
      case 'LimitNear':
        return [`${note} four fifths of a limit are used: ${event.dimensions.join(', ')}`];
      default:
        return [];
    }
  }

  private count({
    costMicroUsd,
    inputTokens,
    outputTokens,
  }: {
    costMicroUsd: number;
    inputTokens: number;
    outputTokens: number;
  }): void {
    if (!this.handoff) return;
    this.handoff.microUsd += costMicroUsd;
    this.handoff.tokens += inputTokens + outputTokens;
  }

  private collected({ reading, atMs }: Extract<JobEvent, { type: 'HandoffCollected' }>): string[] {
    const { handoff } = this;
    if (!handoff) return [];
    if (reading.reported) this.count(reading.reported);
    const { files, added, removed } = reading.changed;
    const work = files > 0 ? `   ${files} ${files === 1 ? 'file' : 'files'} +${added} -${removed}` : '';
    const { ok, bad } = this.marks;
    const mark = reading.action === 'COMPLETED' && !reading.fault ? ok : bad;
    const said = reading.fault
      ? `: ${printable(reading.fault.reason)}`
      : reading.action === 'COMPLETED'
        ? ''
        : ` ${reading.action}`;
    return [`${mark} ${this.head(handoff, atMs)}${work}${said}`];
  }

  private ended(event: Extract<JobEvent, { type: 'HandoffEnded' }>): string[] {
    const { handoff } = this;
    const { action, cause, reason, next } = event;
    const lines: string[] = [];
    const failed =
      handoff && cause !== null && !['check', 'evidence', 'protected'].includes(cause) && event.response !== 'SUCCESS';
    const mark = cause === 'asked' ? '?' : this.marks.bad;
    if (failed && cause !== 'schema')
      lines.push(`${mark} ${this.head(handoff, event.atMs)}   ${printable(reason ?? cause)}`);
    if (next.to === 'phase' && action === 'RETRY')
      lines.push(`    back to ${next.phase}, with what was said as guidance`);
    if (cause === 'login') lines.push('    waits until that is done, and goes on by itself; look: baton inbox');
    if (next.to === 'again' && next.untilMs > event.atMs) {
      lines.push(`    asked again in ${duration(next.untilMs - event.atMs)}`);
    }
    return lines;
  }

  private head({ phase, agent, askedMs, microUsd, tokens: used }: Handoff, atMs: number): string {
    const spent = used > 0 ? `${tokens(used).padStart(9)}   ${usd(microUsd)}` : '';
    const took = duration(atMs - askedMs).padStart(6);
    return `${phase.padEnd(PHASE_WIDTH)} ${printable(agent).padEnd(AGENT_WIDTH)} ${took} ${spent}`.trimEnd();
  }
}

/** Off a terminal: one line per event. */
export function plainLine({ at, run, type, data }: EventRow): string {
  const fields = Object.entries(JSON.parse(data) as Record<string, unknown>)
    .filter(([name, value]) => name !== 'atMs' && value !== null && (typeof value !== 'object' || isList(value)))
    .map(([name, value]) => `${name}=${typeof value === 'number' ? value : JSON.stringify(value)}`);
  return printable([at, run, type, ...fields].join(' '));
}

/** Notes, files, names: what a person would be told on a terminal. */
function isList(value: object): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}
