import type { Envelope } from '../../../src/contracts/generated/types/envelope.js';
import type { StageOptions } from '../jobs/program-stage.js';
import { within } from '../stage/waiting.js';
import { SCRIPTS } from './envelope-scripts.js';
import { EnvelopeStage } from './envelope-stage.js';

/** Every script asks for less than that, even when it is asked again for what was cut off. */
const ROUNDS_MAX = 40;
const STOP_MS_MAX = 20_000;

/** What every script comes to when nobody is killed. */
export async function undisturbed(options: StageOptions, standstillMs: number): Promise<Map<string, Envelope>> {
  const stage = await EnvelopeStage.set({ ...options, keep: false });
  try {
    for (const script of Object.keys(SCRIPTS)) stage.add(script);
    await processInPeace(stage, standstillMs);
    const [problem] = [...stage.problems, ...stage.open.map(({ id }) => `${id} does not end`)];
    if (problem !== undefined) throw new Error(`undisturbed: ${problem}`);
    return new Map(stage.sent.map(({ scriptName, result }) => [scriptName, JSON.parse(result ?? '') as Envelope]));
  } finally {
    await stage.clear();
  }
}

/** Everything that is asked is answered, and everything sent again, until all of them have ended. */
export async function processInPeace(stage: EnvelopeStage, standstillMs: number): Promise<void> {
  for (let round = 0; stage.open.length > 0 && round < ROUNDS_MAX; round += 1) {
    for (const envelope of stage.open) if (envelope.question) envelope.answer();
    const command = stage.startCommand(stage.open);
    if (await within(standstillMs, () => command.exit !== undefined)) {
      await command.ended;
      continue;
    }
    stage.problems.push(`${command.name} does not come to its end: ${command.last.slice(-3).join(' / ')}`);
    command.signal('SIGTERM');
    if (!(await within(STOP_MS_MAX, () => command.exit !== undefined))) await command.kill();
    return;
  }
}
