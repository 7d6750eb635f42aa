import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JobInteraction } from '../../src/contracts/generated/types/job-history.js';
import { jobHistory } from '../../src/contracts/job/job-history.js';
import { jobManifest } from '../../src/contracts/job/job-manifest.js';
import { checkText } from '../../src/contracts/shared/contract.js';
import type { JobEvent } from '../../src/core/job/job-messages.js';
import { JobStory } from '../../src/core/job/job-story.js';
import { replay } from '../../src/engine/job/replay-history.js';
import type { EventRow } from '../../src/engine/ports.js';
import { FileWriter } from '../../src/engine/projections/file-writer.js';
import { JobFiles } from '../../src/engine/projections/job-files.js';
import { historyOf, type Texts } from '../../src/engine/projections/job-history.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { nodeFiles } from '../../src/system/node-files.js';
import { NodeHistoryFiles } from '../../src/system/node-history-files.js';
import { PICKS, RandomLife, runs } from './random-life.js';

const TEXT: Texts = { body: async () => new TextEncoder().encode('a text') };

/** A job whose events come when the test says so, and whoever writes its files. */
class Home {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'baton-jobs-'));
  readonly problems: unknown[] = [];
  events: JobEvent[] = [];
  files: JobFiles;
  private readonly body: Texts['body'];
  private readonly historyBytesMax: number;

  constructor(body: Texts['body'] = TEXT.body, historyBytesMax = 1_000_000) {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    this.body = body;
    this.historyBytesMax = historyBytesMax;
    this.files = this.another();
  }

  another(): JobFiles {
    this.files = new JobFiles({
      store: { events: async (_, after, limit) => rowsOf(this.events).slice(after, after + limit), body: this.body },
      files: nodeFiles,
      history: new NodeHistoryFiles(),
      writer: new FileWriter(nodeFiles, nodeClock, (_, problem) => this.problems.push(problem)),
      places: { workspaceOf: () => '/work' },
      folderOf: () => this.folder,
      historyBytesMax: this.historyBytesMax,
    });
    return this.files;
  }

  async write(events: readonly JobEvent[]): Promise<void> {
    this.events = [...events];
    this.files.changed('x');
    await this.files.flush();
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  read(name: string): { interactions: JobInteraction[] } & Record<string, unknown> {
    return JSON.parse(readFileSync(this.at(name), 'utf8'));
  }

  /** All interactions on the disk, first those of the parts. */
  interactions(): JobInteraction[] {
    const index = existsSync(this.at('jobHistory.index.json')) ? this.read('jobHistory.index.json') : { parts: [] };
    const parts = (index.parts as { file: string }[]).map(({ file }) => gunzipSync(readFileSync(this.at(file))));
    return [...parts.map(String), readFileSync(this.at('jobHistory.json'), 'utf8')].flatMap((text) => {
      expect(checkText(jobHistory, text, { strict: true })).toMatchObject({ allow: true });
      return JSON.parse(text).interactions;
    });
  }
}

const DAMAGE: readonly ((home: Home) => void)[] = [
  () => {},
  (home) => home.another(),
  (home) => {
    rmSync(home.at('jobHistory.json'));
    home.another();
  },
  (home) => {
    truncateSync(home.at('jobHistory.json'), 40);
    home.another().claimed('x');
  },
  // Somebody else wrote it meanwhile: noticed without a claim.
  (home) => writeFileSync(home.at('jobHistory.json'), '{}'),
  (home) => {
    for (const name of readdirSync(home.folder)) if (name.endsWith('.gz')) rmSync(home.at(name));
    home.another();
  },
  (home) => {
    rmSync(home.at('jobHistory.index.json'), { force: true });
    home.another();
  },
];

describe('the files of a job', () => {
  test.each([1_000_000, 10_000, 1_000])(
    'tell every life in full, through restarts and damage, rotated at %i bytes [R066]',
    async (bytesMax) => {
      await fc.assert(
        fc.asyncProperty(PICKS, fc.array(fc.tuple(fc.nat(), fc.nat(DAMAGE.length - 1))), async (picks, stops) => {
          const { story, body } = new RandomLife(picks);
          const home = new Home(body, bytesMax);
          const ends = stops.map(([at]) => 1 + (at % story.events.length)).sort((one, other) => one - other);
          for (const [index, end] of [...ends, story.events.length].entries()) {
            await home.write(story.events.slice(0, end));
            const wanted = await historyOf('x', story.events.slice(0, end), { body });
            expect(home.interactions()).toEqual(JSON.parse(JSON.stringify(wanted.interactions)));
            const { recovery_points, x_workflow } = home.read('jobHistory.json');
            expect({ recovery_points, x_workflow }).toEqual(JSON.parse(JSON.stringify(tail(wanted))));
            DAMAGE[stops[index]?.[1] ?? 0]?.(home);
          }
          const manifest = readFileSync(home.at('job_manifest.json'));
          expect(checkText(jobManifest, manifest, { strict: true })).toMatchObject({ allow: true });
        }),
        runs(25),
      );
    },
  );

  test('say where it stands and what helps it on [R026]', async () => {
    const story = JobStory.active().prepared().admitted().answers('COMPLETED').admitted().answers('STUCK');
    const home = new Home();
    await home.write(story.events);
    expect(home.read('job_manifest.json')).toEqual({
      job_id: 'x',
      description: 'a job',
      status: 'INTERVENTION_REQUIRED',
      current_phase: 'supervisor-review',
      metrics: { cumulative_cost: 0, cumulative_time_seconds: 0 },
      history: ['Worker', 'Supervisor'].map((role, index) => {
        const action = index === 0 ? 'COMPLETED' : 'STUCK';
        return { timestamp: '1970-01-01T00:00:01.000Z', role, action, evidence_files: [] };
      }),
    });
    expect(home.read('latest-outcome.json')).toMatchObject({
      job_id: 'x',
      status: 'INTERVENTION_REQUIRED',
      reason: 'the agent answered STUCK',
      sequence: 1,
      handoff: 'x/h2',
      response: { action: 'STUCK', new_status: 'INTERVENTION_REQUIRED' },
      next: 'baton job resubmit x --guidance "…"',
    });
  });

  test('exist from the first event on', async () => {
    const home = new Home();
    await home.write(JobStory.draft().events);
    expect(readdirSync(home.folder).sort()).toEqual(['jobHistory.json', 'job_manifest.json', 'latest-outcome.json']);
    expect(home.read('latest-outcome.json')).toMatchObject({
      sequence: null,
      response: null,
      next: 'baton job activate x',
    });
  });

  test('are not those of an earlier job of the same name', async () => {
    const home = new Home();
    const story = JobStory.active().prepared().admitted().answers('RETRY');
    await home.write(story.events);
    const later = story.events.map((event) => ({ ...event, atMs: event.atMs + 86_400_000 }));
    home.another();
    await home.write(later);
    expect(home.read('jobHistory.json').interactions).toHaveLength(1);
    expect(home.read('jobHistory.json').created_at).toBe('1970-01-02T00:00:01.000Z');
  });

  test('that are rotated name their parts, and each can be replayed [R111, R113]', async () => {
    const story = JobStory.active({ limits: {} }).prepared();
    for (let round = 0; round < 40; round += 1) story.admitted().fails('login').woke();
    const home = new Home(TEXT.body, 10_000);
    await home.write(story.events);
    const { parts } = home.read('jobHistory.index.json') as unknown as { parts: { first: number; last: number }[] };
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0]?.first).toBe(0);
    expect(home.read('jobHistory.json')).toMatchObject({
      x_first: (parts.at(-1)?.last ?? 0) + 1,
      x_parts: 'jobHistory.index.json',
    });
    expect(replay(home.read('jobHistory.json'))).toMatchObject({ ok: true });
  });

  test('are only extended, not written again, when nothing is wrong', async () => {
    const story = JobStory.active().prepared().admitted().answers('COMPLETED');
    const home = new Home();
    await home.write(story.events);
    const before = readFileSync(home.at('jobHistory.json'), 'utf8').split('\n');
    let rendered = 0;
    const history = new NodeHistoryFiles();
    const counted: Texts['body'] = async () => {
      rendered += 1;
      return new TextEncoder().encode('another text');
    };
    const other = new JobFiles({
      store: {
        events: async (_, after) => (after === 0 ? rowsOf(story.admitted().answers('COMPLETED').events) : []),
        body: counted,
      },
      files: nodeFiles,
      history,
      writer: new FileWriter(nodeFiles, nodeClock, () => {}),
      places: { workspaceOf: () => '/work' },
      folderOf: () => home.folder,
    });
    other.changed('x');
    await other.flush();
    const after = readFileSync(home.at('jobHistory.json'), 'utf8').split('\n');
    expect(after.slice(0, 2).map((line) => line.replace(/,$/, ''))).toEqual(before.slice(0, 2));
    // The request, the answer and the summary of one interaction: for the history and for the outcome.
    expect(rendered).toBe(6);
  });
});

function tail({ recovery_points, x_workflow }: Awaited<ReturnType<typeof historyOf>>) {
  return { recovery_points, x_workflow };
}

function rowsOf(events: readonly JobEvent[]): EventRow[] {
  return events.map(({ type, ...data }, index) => {
    const rest = { position: index, run: 'x', at: '', actor: '', key: null, epoch: null, hash: '' };
    return { ...rest, seq: index + 1, type, data: JSON.stringify(data) };
  });
}
