import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { BASIC_FLOW, type Diagram, TASK_INTERRUPT } from './diagrams.js';
import { playDiagram, transcriptOf } from './play-diagram.js';
import { WAYS_IN } from './transports/ways-in.js';

const PAGE = path.resolve(import.meta.dirname, '../../docs/contracts/session-transcripts.md');
/** Beside what the diagrams show; they leave unimportant events out. */
const BESIDE = ['approval_resolved', 'token_count'];

describe.each(WAYS_IN)('over $name [R493, R512]', (way) => {
  test('the basic flow of the document is played as it is drawn [R557–R562]', async () => {
    await expectPlayed(BASIC_FLOW, way);
  });

  test('a task is interrupted and gone on with from its last response as it is drawn [R563–R565]', async () => {
    await expectPlayed(TASK_INTERRUPT, way);
  });
});

/** The same events in the same order, and the very transcript that the documentation shows. */
async function expectPlayed(diagram: Diagram, way: (typeof WAYS_IN)[number]): Promise<void> {
  const said = await playDiagram(diagram, way);
  const seen = said.flatMap(({ from, message }) => (from === 'baton' ? [message as { msg: { type: string } }] : []));
  expect(seen.map(({ msg }) => msg.type).filter((type) => !BESIDE.includes(type))).toEqual(diagram.sees);
  const transcript = transcriptOf(said);
  if (process.env.BATON_WRITE_TRANSCRIPTS) writeTranscript(diagram, transcript);
  expect(transcript).toBe(transcriptIn(readFileSync(PAGE, 'utf8'), diagram));
}

function transcriptIn(page: string, { name }: Diagram): string {
  const [, text = ''] = new RegExp(`## ${name}\\n[\\s\\S]*?\`\`\`\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  return text;
}

function writeTranscript(diagram: Diagram, transcript: string): void {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(transcriptIn(page, diagram) || '$nothing$', () => transcript),
  );
}
