/**
 * One round of a bridge: the files are put right, the orchestrator is started, and what it left is looked at.
 *
 * R1 It can be done again from its beginning, however far an earlier try came: a request that was not answered yet lies
 *    there for whoever comes next, so it is taken up and nothing is started.
 * R2 A response is written before the orchestrator is started, and its request removed after it.
 * R3 A response that answers nothing is never left where an orchestrator could read it.
 */
import { CHECKPOINT_EXIT_CODE } from '../contracts/bridge/bridge-file-names.js';
import { isBatonError } from '../contracts/shared/errors.js';
import type { RoundFacts } from '../core/bridge/bridge-effects.js';
import type { BridgeProblem, RoundResult, TakenRequest } from '../core/bridge/bridge-messages.js';
import { type BridgeFolder, type FilesSeen, keepFiles } from '../engine/bridge/bridge-folder.js';
import { type RequestSources, readRequest } from '../engine/bridge/read-request.js';
import { responseDocument } from '../engine/bridge/response-document.js';
import type { EventStore, Held, Ports, SealedBody } from '../engine/ports.js';
import { changeFiles } from './change-files.js';
import { type OrchestratorEnd, type OrchestratorStart, runOrchestrator } from './run-orchestrator.js';

export type RoundSurroundings = RequestSources & {
  ports: Pick<Ports, 'scrub' | 'hasher' | 'log'>;
  store: Pick<EventStore, 'body'>;
  folder: BridgeFolder;
  /** Of this process: what each of them may start. */
  handlers: ReadonlyMap<string, Handler>;
} & Pick<OrchestratorStart, 'gate' | 'env'>;

type Handler = Pick<OrchestratorStart, 'argv' | 'output'>;
type Round = { result: RoundResult; bodies?: readonly SealedBody[] };
const RESUME = '--resume';

export async function performRound(
  around: RoundSurroundings,
  held: Held,
  { key, facts }: { key: string; facts: RoundFacts },
  signal: AbortSignal,
): Promise<Round> {
  const handler = around.handlers.get(facts.handler);
  if (!handler) return { result: { type: 'elsewhere' } };
  const { output } = handler;
  const goesOn = facts.resume || handler.argv.includes(RESUME);
  const lying = goesOn ? await lyingRequest(around, facts) : null;
  if (lying) return ended(around, facts, null, lying);
  const put = await changeFiles(() => (goesOn ? putRight(around, facts, handler.argv) : clear(around, facts)));
  if ('reason' in put) return notStarted(around, facts, { code: 'FILE_UNWRITABLE', reason: put.reason });
  const argv = put.value && !handler.argv.includes(RESUME) ? [...handler.argv, RESUME] : handler.argv;
  const end = await runOrchestrator({ ...around, output, held, handoff: key, dir: facts.dir, argv, signal });
  return ended(around, facts, end, null);
}

type Taken = { request: TakenRequest; body: SealedBody };

/** R1. On the first start it is of somebody else's, unless the command itself says that it goes on with something. */
async function lyingRequest(around: RoundSurroundings, facts: RoundFacts): Promise<Taken | null> {
  const { request } = await around.folder.look(facts.dir);
  if (!request?.bytes) return null;
  try {
    const taken = await readRequest(request.bytes, facts, around);
    return facts.answered.includes(taken.request.request_id) ? null : taken;
  } catch {
    return null; // Half of one, of an orchestrator that was ended while it wrote: it writes it again.
  }
}

/** R3. There is nothing to go on with. */
async function clear({ folder, ports }: RoundSurroundings, { dir }: RoundFacts): Promise<boolean> {
  const seen = await folder.look(dir);
  if (seen.response) ports.log('info', `set aside ${await folder.setResponseAside(dir)}: it answers nothing yet`);
  if (seen.request) await folder.remove(dir, 'request');
  return false;
}

/** Says whether there is something to go on with. */
async function putRight(around: RoundSurroundings, facts: RoundFacts, said: readonly string[]): Promise<boolean> {
  const { folder, store, ports } = around;
  const { dir, reply, state } = facts;
  const seen = await folder.look(dir);
  if (state && !seen.state && !state.isMasked) await restore(around, dir, state.body.sha256);
  if (reply) {
    await folder.write(dir, 'response', await responseDocument(store, reply));
    await folder.remove(dir, 'request');
  } else if (seen.response && !said.includes(RESUME)) {
    // R3. One that goes on with what others have begun may find their answer there.
    ports.log('info', `set aside ${await folder.setResponseAside(dir)}: nothing was answered yet`);
  }
  return reply !== null || state !== null || seen.state !== null;
}

async function restore({ store, folder }: RoundSurroundings, dir: string, sha256: string): Promise<void> {
  const bytes = await store.body(sha256);
  if (bytes) await folder.write(dir, 'state', new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
}

async function ended(
  around: RoundSurroundings,
  facts: RoundFacts,
  end: OrchestratorEnd | null,
  lying: Taken | null,
): Promise<Round> {
  const seen = await around.folder.look(facts.dir);
  const { files, bodies } = keepFiles(around.ports, seen);
  if (lying)
    return { result: { type: 'asked', exit: null, request: lying.request, files }, bodies: [...bodies, lying.body] };
  if (end && 'problem' in end) {
    const problem = { code: 'USAGE', reason: `the orchestrator cannot be started: ${end.problem}` };
    return { result: { type: 'exited', exit: null, files, problem }, bodies };
  }
  if (end?.code !== CHECKPOINT_EXIT_CODE)
    return { result: { type: 'exited', exit: end, files, problem: null }, bodies };
  const asked = await requestIn(seen, facts, around);
  if ('code' in asked) return { result: { type: 'exited', exit: end, files, problem: asked }, bodies };
  return { result: { type: 'asked', exit: end, request: asked.request, files }, bodies: [...bodies, asked.body] };
}

/** What lies there is kept as it is: nothing has run that could have changed it. */
async function notStarted(around: RoundSurroundings, { dir }: RoundFacts, problem: BridgeProblem): Promise<Round> {
  const { files, bodies } = keepFiles(around.ports, await around.folder.look(dir));
  return { result: { type: 'exited', exit: null, files, problem }, bodies };
}

async function requestIn(
  { request }: FilesSeen,
  facts: RoundFacts,
  around: RoundSurroundings,
): Promise<Taken | BridgeProblem> {
  if (!request?.bytes) {
    const why = request?.problem ? `: ${request.problem}` : '';
    return {
      code: 'BRIDGE_NO_REQUEST',
      reason: `the orchestrator exited with 42 and left no request in ${facts.dir}${why}`,
    };
  }
  try {
    return await readRequest(request.bytes, facts, around);
  } catch (failure) {
    if (!isBatonError(failure)) throw failure;
    return { code: failure.code, reason: `the request of the orchestrator: ${failure.message}` };
  }
}
