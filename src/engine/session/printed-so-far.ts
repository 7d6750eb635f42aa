import type { Printed } from '../../core/session/session-messages.js';
import type { SessionTask } from '../../core/session/session-state.js';
import type { Ports, SealedBody } from '../ports.js';
import { sealBody, sealJson } from '../seal.js';
import type { PlacedPiece } from './live-text.js';

/** Of each stream, the model is told the end. */
const TOLD_CHARS_MAX = 16 * 1024;

type Seal = Pick<Ports, 'scrub' | 'hasher'>;

/** What the commands under way have printed, as far as it was streamed here. What is called off is not lost with them. */
export function printedSoFar(
  seal: Seal,
  { calls }: SessionTask,
  pieces: readonly PlacedPiece[],
): { printed: Record<string, Printed>; bodies: SealedBody[] } {
  const printed: Record<string, Printed> = {};
  const bodies: SealedBody[] = [];
  for (const { id, stage } of calls.values()) {
    if (stage.name !== 'running') continue;
    const textOf = (type: 'stdout' | 'stderr') =>
      pieces.find((one) => one.item === id && one.type === type)?.text ?? '';
    const [stdout, stderr] = [textOf('stdout'), textOf('stderr')];
    if (stdout === '' && stderr === '') continue;
    const said = sealJson(seal, { stdout, stderr });
    const output = sealBody(seal, wordsOf(stdout, stderr));
    bodies.push(said.body, output.body);
    printed[id] = { said: said.ref, output: output.ref };
  }
  return { printed, bodies };
}

function wordsOf(stdout: string, stderr: string): string {
  const parts = [stdout, stderr].filter((one) => one !== '').map(endOf);
  return `The user interrupted this before it had ended. Until then it had printed:\n${parts.join('\n')}`;
}

function endOf(text: string): string {
  if (text.length <= TOLD_CHARS_MAX) return text;
  return `[${text.length - TOLD_CHARS_MAX} characters left out]\n${text.slice(-TOLD_CHARS_MAX)}`;
}
