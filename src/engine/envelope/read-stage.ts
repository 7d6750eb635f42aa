import { outputProblem } from '../../contracts/envelope/stage-output.js';
import { readObject } from '../../contracts/job/read-object.js';
import { reportedUsage } from '../../contracts/job/reported-usage.js';
import type { ReadFacts } from '../../core/envelope/envelope-effects.js';
import type { StageReading } from '../../core/envelope/envelope-messages.js';
import { plainText } from '../../core/envelope/plain-text.js';
import type { Output } from '../../core/envelope/route-stage.js';
import type { StageEnd } from '../../core/envelope/stage-end.js';
import { stageIn } from '../../core/envelope/standing.js';
import type { SealedBody } from '../ports.js';
import type { DocumentMover } from './document-mover.js';

/** Places in a folder that are named and are not there, each with why. */
export type MissingIn = (
  folder: string,
  places: readonly string[],
) => Promise<readonly { location: string; because: string }[]>;

type Sources = { mover: DocumentMover; missingIn: MissingIn };
const TOLD_MAX = 5;
const REASON_LENGTH_MAX = 1_000;

/** Holds the answer to a stage against what was agreed; where nobody else is at work, the next envelope follows at once. */
export async function readStage(
  { mover, missingIn }: Sources,
  facts: ReadFacts,
  { text, atMs }: { text: string; atMs: number },
): Promise<{ reading: StageReading; bodies: readonly SealedBody[] }> {
  const stage = stageIn(await mover.pipeline(facts.pipeline), facts.stage);
  const folder = facts.isNamed || stage.verify === 'strict' ? facts.folder : null;
  const read = readObject(text);
  const { violation } = read;
  const said: Output = 'value' in read ? (read.value as Output) : {};
  const { x_usage: _, ...output } = said;
  const { usage: reported } = reportedUsage(said);
  const problem =
    'reason' in read ? read.reason : (outputProblem(stage, output) ?? (await missingPlaces(missingIn, folder, output)));
  const short = problem === null ? null : plainText(problem, REASON_LENGTH_MAX);
  if (short !== null && facts.mayRepair) {
    return { reading: { problem: short, violation, reported, end: null, moved: null }, bodies: [] };
  }
  const about = { stage: facts.stage, startedMs: facts.startedMs, endedMs: atMs, llmCalls: facts.llmCalls + 1 };
  const sealed = mover.sealJson(output);
  const end: StageEnd =
    short === null
      ? { ...about, type: 'output', output: sealed.ref, errors: [], ends: null }
      : { ...about, type: 'error', error: unusable(short) };
  const bodies = short === null ? [sealed.body] : [];
  if (!facts.alone) return { reading: { problem: short, violation, reported, end, moved: null }, bodies };
  // What was stored counts, not what was said: it may have held a secret.
  const stored = JSON.parse(new TextDecoder().decode(sealed.body.bytes)) as Output;
  const made = await mover.move(facts, [end], new Map([[facts.stage, stored]]));
  return {
    reading: { problem: short, violation, reported, end, moved: made.moved },
    bodies: [...bodies, ...made.bodies],
  };
}

function unusable(reason: string) {
  const message = `the answer was not what was agreed: ${reason}`;
  return { error_type: 'OutputInvalid', message, recoverable: false };
}

/** Evidence and citations that lead nowhere are none. */
async function missingPlaces(missingIn: MissingIn, folder: string | null, output: Output): Promise<string | null> {
  const places = [output.evidence, output.citations].flatMap((list) => (Array.isArray(list) ? list : []));
  const named = places.flatMap((place) => {
    const location = (place as { location?: unknown } | null)?.location;
    return typeof location === 'string' ? [location] : [];
  });
  if (folder === null || named.length === 0) return null;
  const missing = await missingIn(folder, named);
  if (missing.length === 0) return null;
  const told = missing.slice(0, TOLD_MAX).map(({ location, because }) => `${location} ${because}`);
  const more = missing.length > TOLD_MAX ? ` and ${missing.length - TOLD_MAX} more` : '';
  return `it cites what is not there: ${told.join(', ')}${more}`;
}
