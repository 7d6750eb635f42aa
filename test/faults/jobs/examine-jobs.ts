import type { JobEvent } from '../../../src/core/job/job-messages.js';
import type { EventRow } from '../../../src/engine/ports.js';
import { HANDOFF_RULES } from '../../simulation/job-handoff-rules.js';
import { STATE_RULES } from '../../simulation/job-state-rules.js';
import { lookAgain } from '../../simulation/look-again.js';
import { allRows } from '../stage/examine-home.js';
import { resultOf } from './job-agents.js';
import { type JobStage, jobsOf } from './job-stage.js';

type Found = { lost: string[]; twice: string[]; other: string[]; notes: string[] };

/** Everything that must hold when all jobs have ended and nobody runs any more. */
export async function examineJobs(stage: JobStage): Promise<Found> {
  const { store, created, repository } = stage;
  const rows = new Map<string, EventRow[]>();
  for (const row of await allRows(store)) rows.set(row.run, [...(rows.get(row.run) ?? []), row]);
  const jobs = await jobsOf(store);
  const stories = jobs.map(({ run }) => ({ run, rows: rows.get(run) ?? [] }));
  const processes = await store.processes.list({});
  const called = callProblems(stage, stories);
  await stage.run('audit', 'verify'); // that it fails is a problem of the stage
  return {
    lost: created.filter((run) => !rows.has(run)).map((run) => `${run} was created and is not in the journal`),
    twice: [...stories.flatMap(endProblems), ...called],
    other: [
      ...stories.flatMap(({ run, rows }) => lookAgain(RULES, run, rows).map((problem) => `${run}: ${problem}`)),
      ...jobs.filter(({ status }) => status !== 'SUCCESS').map(({ run, status }) => `${run} is ${status}`),
      ...jobs.filter(({ owner }) => owner !== null).map(({ run, owner }) => `${run} still belongs to ${owner}`),
      ...processes.map(({ run, handoff, pid }) => `the process ${pid} of ${run} ${handoff} is still in the table`),
      ...jobs.flatMap(({ run }) => branchProblems(stage, run)),
      ...repository.problems(),
    ],
    notes: notesOn(stories, stage),
  };
}

const RULES = { ...HANDOFF_RULES, ...STATE_RULES };

type Story = { run: string; rows: readonly EventRow[] };

function eventsOf({ rows }: Story): JobEvent[] {
  return rows.map(({ type, data }) => ({ ...JSON.parse(data), type }) as JobEvent);
}

function endProblems(story: Story): string[] {
  const ends = eventsOf(story).filter((event) => event.type === 'HandoffEnded' && event.status === 'SUCCESS').length;
  return ends === 1 ? [] : [`${story.run} succeeded ${ends} times`];
}

/** What agents wrote down themselves: nobody was asked twice, beside another, or without a record. */
function callProblems({ agents }: JobStage, stories: readonly Story[]): string[] {
  const recorded = new Set(stories.flatMap((story) => eventsOf(story).flatMap((event) => asked(story.run, event))));
  const begun = new Set<string>();
  return agents.said().flatMap(({ what, handoff }) => {
    if (what === 'overlap') return [`${handoff} began while another agent of its job was alive`];
    if (begun.has(handoff)) return [`${handoff} was asked twice`];
    begun.add(handoff);
    return recorded.has(handoff) ? [] : [`${handoff} was asked and nobody wrote it down`];
  });
}

function asked(run: string, event: JobEvent): string[] {
  return event.type === 'HandoffAsked' ? [`${run}/${event.handoff}/${event.attempt}`] : [];
}

/** The branch is there with what the job was to make, and no handoff was committed twice. */
function branchProblems({ repository }: JobStage, run: string): string[] {
  const branch = `baton/${run}`;
  const result = repository.show(branch, 'result.txt');
  if (result !== resultOf(run)) return [`${branch} has ${JSON.stringify(result)} in result.txt`];
  const format = '--format=%(trailers:key=Baton-Handoff,valueonly)';
  const handoffs = repository.git('log', format, `main..${branch}`).split('\n').filter(Boolean);
  if (handoffs.length === 0) return [`${branch} has no commit of a handoff`];
  return new Set(handoffs).size === handoffs.length ? [] : [`${branch} has two commits of one handoff: ${handoffs}`];
}

function notesOn(stories: readonly Story[], { agents }: JobStage): string[] {
  const events = stories.flatMap(eventsOf);
  const ended = events.filter((event) => event.type === 'HandoffEnded');
  const lost = ended.filter(({ cause }) => cause === 'lost').length;
  const others = ended.filter(({ cause }) => cause !== 'lost' && cause !== null).length;
  return [
    `${stories.length} jobs, ${events.length} events, ${ended.length} handoffs ended: ${lost} lost and asked again, ${others} failed otherwise`,
    `${agents.said().length} times an agent began`,
  ];
}
