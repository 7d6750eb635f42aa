/**
 * Keeps the files of one job that fails and is asked again without end: node history-writer.mjs FOLDER ATTEMPTS.
 * Says `ready`, begins with so many attempts in its store and says `attempts N` when N of them are on the disk.
 */
import { JobStory } from '../../../src/core/job/job-story.js';
import type { EventRow } from '../../../src/engine/ports.js';
import { FileWriter } from '../../../src/engine/projections/file-writer.js';
import { JobFiles } from '../../../src/engine/projections/job-files.js';
import { nodeClock } from '../../../src/system/node-clock.js';
import { nodeFiles } from '../../../src/system/node-files.js';
import { NodeHistoryFiles } from '../../../src/system/node-history-files.js';

/** Written to a pipe at once and as a whole, so that what was said before a kill is heard. */
const say = (...words: string[]): boolean => process.stdout.write(`${words.join(' ')}\n`);
const BYTES_MAX = 10_000;
const [folder = '', before = '0'] = process.argv.slice(2);
const story = JobStory.active().prepared();
const rows: EventRow[] = [];
const files = new JobFiles({
  store: {
    events: async (_, after, limit) => rows.slice(after, after + limit),
    body: async () => new TextEncoder().encode('a text'),
  },
  files: nodeFiles,
  history: new NodeHistoryFiles(),
  writer: new FileWriter(nodeFiles, nodeClock, (file, problem) => say('failed', `${file} ${problem}`)),
  places: { workspaceOf: () => folder },
  folderOf: () => folder,
  historyBytesMax: BYTES_MAX,
});

say('ready');
for (let attempts = 0; ; attempts += 1) {
  for (const { type, ...data } of story.events.slice(rows.length)) {
    const rest = { position: 0, run: 'x', at: '', actor: '', key: null, epoch: null, hash: '' };
    rows.push({ ...rest, seq: rows.length + 1, type, data: JSON.stringify(data) });
  }
  if (attempts >= Number(before)) {
    files.changed('x');
    await files.flush();
    say('attempts', String(attempts));
  }
  story.admitted().fails('login').woke();
}
