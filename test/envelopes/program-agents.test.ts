import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { JobStage } from '../jobs/job-stage.js';
import { envelopeOf, pipelineOf, stageOf } from './stage-kit.js';

const LONG_MS = 60_000;

/** Says what it sees where it stands, of the repository and of those before it, and leaves something there. */
const LOOKS = 'SEEN=$(ls add.js left 2>/dev/null); echo x >left; printf \'{"seen":"%s"}\' "$SEEN"';

test.each(['none', 'bwrap'])(
  'a program that answers stages stands in a folder of its envelope, not in the repository (sandbox %s)',
  { timeout: LONG_MS },
  async (mode) => {
    const stage = new JobStage();
    stage.configure({ sandbox: { mode } });
    await stage.shell('looker', LOOKS);
    const [file, pipeline] = ['envelope.json', 'pipeline.json'].map((name) => path.join(stage.folder, name));
    writeFileSync(file as string, JSON.stringify(envelopeOf()));
    const stages = [stageOf('one', { default_next: 'two' }), stageOf('two')];
    writeFileSync(pipeline as string, JSON.stringify(pipelineOf(stages)));
    const words = ['--pipeline', pipeline as string, '--agent', 'looker', '--repo', stage.repo];
    const { printed } = await stage.json('envelope', 'process', file as string, ...words);
    expect(printed).toMatchObject({
      ...{ terminal_reason: 'completed_successfully', errors: [], llm_call_count: 2 },
      outputs: { one: { seen: '' }, two: { seen: 'left' } },
    });
  },
);
