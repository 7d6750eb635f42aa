import type { JobInteraction } from '../../contracts/generated/types/job-history.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import type { Desk } from '../../engine/desk.js';
import type { Parsed } from '../command.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { plainLine } from '../job/live-lines.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { countOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { eventJsonLine } from '../show-event.js';
import { untilStopped } from '../until-stopped.js';

const LOOK_AGAIN_MS = 200;
const PAGE = 200;

/** What was said in each attempt, as it was said; with -f also what comes, and what the agent at work prints. */
export const runJobLog: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const { run } = await findRun(desk.store, parsed.positionals[0] ?? '', io.cwd);
    await desk.jobs.state(run);
    if (parsed.values.follow) return followLog(desk, run, parsed, io);
    const { interactions } = await desk.history(run);
    const number = countOption(parsed, 'handoff', { min: 0, max: Math.max(0, interactions.length - 1) });
    const shown = number === undefined ? interactions : interactions.slice(number, number + 1);
    if (parsed.values.json) io.out(`${printableJson({ items: shown, next: null })}\n`);
    else for (const one of shown) await tellAttempt(desk, io, one);
    return 0;
  });

async function tellAttempt(desk: Desk, io: Io, interaction: JobInteraction): Promise<void> {
  const { sequence, timestamp, handoff = '', attempt = 1, request, response } = interaction;
  const { role, agent } = request.metadata;
  const head = `#${sequence} ${timestamp} ${handoff}/${attempt} ${role} ${agent}: ${response.status} ${response.action}`;
  io.out(`${printable(`${head} -> ${response.new_status}`)}\n`);
  const [run = '', key = ''] = handoff.split('/');
  const log = new LogTail(desk, run, (text) => tellPrinted(io, text));
  log.begin({ handoff: key, attempt });
  await log.read();
  for (const line of response.raw_response.trimEnd().split('\n')) io.out(`  | ${printable(line)}\n`);
}

function tellPrinted(io: Io, text: string): void {
  for (const line of text.trimEnd().split('\n')) io.out(`  : ${printable(line)}\n`);
}

/** Until the job rests, or until stopped. */
async function followLog(desk: Desk, run: string, parsed: Parsed, io: Io): Promise<number> {
  const stop = untilStopped();
  const log = new LogTail(desk, run, (text, handoff) => {
    if (parsed.values.json) io.out(`${printableJson({ type: 'log', run_id: run, handoff, text })}\n`);
    else tellPrinted(io, text);
  });
  try {
    for (let seq = 0, over = false; !over && !stop.signal.aborted; ) {
      const row = await desk.store.run(run);
      over = row === undefined || (!row.owes && row.wakeAtMs === null);
      const events = await desk.store.events(run, seq, PAGE);
      for (const row of events) {
        await log.read();
        io.out(parsed.values.json ? eventJsonLine(row) : `${plainLine(row)}\n`);
        const event = { ...JSON.parse(row.data), type: row.type } as JobEvent;
        if (event.type === 'HandoffAsked') log.begin(event);
        seq = row.seq;
      }
      await log.read();
      over &&= events.length < PAGE;
      if (!over) await new Promise<void>((resolve) => void desk.clock.after(LOOK_AGAIN_MS, resolve));
    }
    return stop.why() === 'interrupted' ? 130 : 0;
  } finally {
    stop.forget();
  }
}

/** What the agent that was asked last prints, from where it was read last. */
class LogTail {
  private at: { handoff: string; attempt: number; next: number } | undefined;
  private readonly desk: Pick<Desk, 'readLog'>;
  private readonly run: string;
  private readonly tell: (text: string, handoff: string) => void;

  constructor(desk: Pick<Desk, 'readLog'>, run: string, tell: (text: string, handoff: string) => void) {
    this.desk = desk;
    this.run = run;
    this.tell = tell;
  }

  begin({ handoff, attempt }: { handoff: string; attempt: number }): void {
    this.at = { handoff, attempt, next: 0 };
  }

  async read(): Promise<void> {
    const { at, run } = this;
    if (!at) return;
    for (;;) {
      const { text, next } = await this.desk.readLog({ run, handoff: at.handoff, attempt: at.attempt }, at.next);
      if (text === '') return;
      at.next = next;
      this.tell(text, at.handoff);
    }
  }
}
