import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import type { JobInteraction } from '../../contracts/generated/types/job-history.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import type { Baton } from '../../engine/opened-baton.js';
import { historyIn } from '../../engine/shown/job-history-in.js';
import type { Parsed } from '../command.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { plainLine } from '../job/live-lines.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { countOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { eventJsonLine } from '../show-event.js';
import { untilStopped } from '../until-stopped.js';

const LOOK_AGAIN_MS = 200;
const PAGE = 200;
const PIECE_BYTES = 64 * 1024;

/** What was said in each attempt, as it was said; with -f also what comes, and what the agent at work prints. */
export const runJobLog: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const row = await findRun(baton.store, parsed.positionals[0] ?? '', io.cwd);
    await baton.jobs.state(row.run);
    if (parsed.values.follow) return followLog(baton, row.run, parsed, io);
    const { interactions } = await historyIn(baton.store, row.run);
    const number = countOption(parsed, 'handoff', { min: 0, max: Math.max(0, interactions.length - 1) });
    const shown = number === undefined ? interactions : interactions.slice(number, number + 1);
    if (parsed.values.json) io.out(`${printableJson({ items: shown, next: null })}\n`);
    else for (const one of shown) tellAttempt(baton, io, one);
    return 0;
  });

function tellAttempt({ logFile }: Baton, io: Io, interaction: JobInteraction): void {
  const { sequence, timestamp, handoff = '', attempt = 1, request, response } = interaction;
  const { role, agent } = request.metadata;
  const head = `#${sequence} ${timestamp} ${handoff}/${attempt} ${role} ${agent}: ${response.status} ${response.action}`;
  io.out(`${printable(`${head} -> ${response.new_status}`)}\n`);
  const [run = '', key = ''] = handoff.split('/');
  for (const line of printedBy(logFile({ run, handoff: key, attempt }))) io.out(`  : ${printable(line)}\n`);
  for (const line of response.raw_response.trimEnd().split('\n')) io.out(`  | ${printable(line)}\n`);
}

function printedBy(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return []; // it printed nothing
  }
}

/** Until the job rests, or until stopped. */
async function followLog(baton: Baton, run: string, parsed: Parsed, io: Io): Promise<number> {
  const stop = untilStopped();
  const log = new LogTail(baton, run, (text, handoff) => {
    if (parsed.values.json) io.out(`${printableJson({ type: 'log', run_id: run, handoff, text })}\n`);
    else for (const line of text.trimEnd().split('\n')) io.out(`  : ${printable(line)}\n`);
  });
  try {
    for (let seq = 0, over = false; !over && !stop.signal.aborted; ) {
      const row = await baton.store.run(run);
      over = row === undefined || (!row.owes && row.wakeAtMs === null);
      const events = await baton.store.events(run, seq, PAGE);
      for (const event of events) {
        log.read();
        io.out(parsed.values.json ? eventJsonLine(event) : `${plainLine(event)}\n`);
        log.follow({ ...JSON.parse(event.data), type: event.type } as JobEvent);
        seq = event.seq;
      }
      log.read();
      over &&= events.length < PAGE;
      if (!over) await new Promise<void>((resolve) => void baton.clock.after(LOOK_AGAIN_MS, resolve));
    }
    return stop.why() === 'interrupted' ? 130 : 0;
  } finally {
    stop.forget();
  }
}

/** What the agent that was asked last prints, from where it was read last. */
class LogTail {
  private at: { file: string; handoff: string; offset: number } | undefined;
  private readonly baton: Pick<Baton, 'logFile'>;
  private readonly run: string;
  private readonly tell: (text: string, handoff: string) => void;

  constructor(baton: Pick<Baton, 'logFile'>, run: string, tell: (text: string, handoff: string) => void) {
    this.baton = baton;
    this.run = run;
    this.tell = tell;
  }

  follow(event: JobEvent): void {
    if (event.type !== 'HandoffAsked') return;
    const { handoff, attempt } = event;
    this.at = { file: this.baton.logFile({ run: this.run, handoff, attempt }), handoff, offset: 0 };
  }

  read(): void {
    const { at } = this;
    if (!at) return;
    const text = textBehind(at.file, at.offset);
    at.offset += Buffer.byteLength(text);
    if (text !== '') this.tell(text, at.handoff);
  }
}

/** Whole lines are written at once, so what is there is whole. */
function textBehind(file: string, offset: number): string {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch {
    return ''; // nothing was printed yet
  }
  try {
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, Math.max(0, fstatSync(opened).size - offset)));
    return piece.subarray(0, readSync(opened, piece, 0, piece.length, offset)).toString('utf8');
  } finally {
    closeSync(opened);
  }
}
