import type { Envelope } from '../../../src/contracts/generated/types/envelope.js';
import type { StageOptions } from '../jobs/program-stage.js';
import type { ProgramProcess } from '../stage/program-process.js';
import { within } from '../stage/waiting.js';
import { SCRIPTS } from './envelope-scripts.js';
import { EnvelopeStage } from './envelope-stage.js';

/** Every script asks for less than that, even when it is asked again for what was cut off. */
const ROUNDS_MAX = 40;
const END_MS_MAX = 120_000;
const STOP_MS_MAX = 20_000;

export type Undisturbed = ReadonlyMap<string, Envelope>;

/** What every script comes to when nobody is killed. */
export async function undisturbed(options: StageOptions): Promise<Undisturbed> {
  const stage = await EnvelopeStage.set({ ...options, keep: false });
  try {
    for (const script of Object.keys(SCRIPTS)) stage.add(script);
    await processInPeace(stage);
    const [problem] = [...stage.problems, ...stage.open.map(({ id }) => `${id} does not end`)];
    if (problem !== undefined) throw new Error(`undisturbed: ${problem}`);
    return new Map(stage.sent.map(({ scriptName, result }) => [scriptName, JSON.parse(result ?? '') as Envelope]));
  } finally {
    await stage.clear();
  }
}

/** Everything that is asked is answered, and everything sent again, until all of them have ended. */
export async function processInPeace(stage: EnvelopeStage): Promise<void> {
  stage.agents.makePeace();
  for (let round = 0; stage.open.length > 0 && round < ROUNDS_MAX; round += 1) {
    for (const envelope of stage.open) if (envelope.question) envelope.answer();
    if (!(await untilEnded(stage, stage.startCommand(stage.open)))) return;
  }
}

/** It ends by itself; that it does not is a problem. */
export async function untilEnded(stage: EnvelopeStage, program: ProgramProcess): Promise<boolean> {
  if (await within(END_MS_MAX, () => program.exit !== undefined)) {
    await program.ended;
    return true;
  }
  stage.problems.push(`${program.name} does not come to its end: ${program.last.slice(-3).join(' / ')}`);
  program.signal('SIGTERM');
  if (!(await within(STOP_MS_MAX, () => program.exit !== undefined))) await program.kill();
  return false;
}
