import type { JudgeFacts } from '../core/session/session-effects.js';
import type { CallJudgement, Told } from '../core/session/session-messages.js';
import type { Held } from '../engine/ports.js';
import { Aborted } from '../workspace/run-gated.js';
import { type CallPlan, callHashes, type Policy } from './call-plan.js';
import { givenCalls } from './given-calls.js';
import { judgeExec, type NotDone, type Weighed } from './judge-exec.js';
import { judgePatch } from './judge-patch.js';
import { judgeMcp } from './mcp/judge-mcp.js';
import { readImage } from './read-image.js';
import { readBody, Sealed, type SessionHands } from './session-hands.js';
import { movedPlace } from './session-places.js';
import { shownTitle } from './shown-title.js';
import { EXEC_TOOL, IMAGE_TOOL, PATCH_TOOL, toolsFor } from './tool-definitions.js';
import { type GivenCall, toolNamed, type WantedCall, wantedCall } from './wanted-call.js';

/** All judgements of a response are one event, which has little room. */
const MANY_CALLS = 16;
const SHORT_TITLE = 100;
const WORDS_CHARS_MAX = 1_000;
const PROBLEM_CHARS_MAX = 400;
const NOTE_CHARS_MAX = 400;

/** Calls that reach the folders of the session. */
const IN_PLACES: readonly WantedCall['type'][] = ['exec', 'patch', 'image'];

type Unjudged = NotDone & { problem: string };
type Outcome = Weighed<CallPlan> | NotDone | Unjudged | { image: string } | { report: object };

/** What is known about each call of a response. Nothing is done. */
export async function judgeCalls(hands: SessionHands, held: Held, facts: JudgeFacts, signal: AbortSignal) {
  const given = givenCalls(await readBody(hands, facts.output), facts.calls);
  const sealed = new Sealed(hands);
  const judgements: CallJudgement[] = [];
  const titleMax = given.length > MANY_CALLS ? SHORT_TITLE : undefined;
  for (const [index, { id: callId }] of facts.calls.entries()) {
    if (signal.aborted) throw new Aborted('the calls are not judged');
    const call = given[index];
    // The machine answers what is not judged.
    if (!call) continue;
    const outcome = await outcomeOf(hands, held, call, facts.policy);
    const judgement = judgementOf(hands, outcome, { sealed, policy: facts.policy, titleMax });
    judgements.push({ callId, ...noted(hands, judgement, call) });
  }
  return { result: { judgements }, bodies: sealed.bodies };
}

async function outcomeOf(hands: SessionHands, held: Held, call: GivenCall, policy: Policy): Promise<Outcome> {
  const name = toolNamed(call.tool);
  const wanted = wantedCall(call);
  const needed = wanted.type === 'patch' && name === EXEC_TOOL ? PATCH_TOOL : name;
  if (policy.tools !== null && !policy.tools.includes(needed)) return noSuchTool(needed, policy);
  if (call.isMasked && wanted.type !== 'plan') return { words: SECRET };
  const moved = IN_PLACES.includes(wanted.type) ? await movedPlace(policy) : undefined;
  if (moved !== undefined) return { words: `Not done: ${moved}.` };
  try {
    return await weigh(hands, held, wanted, policy);
  } catch (problem) {
    // A call that cannot be judged must not hold up the others, nor be judged again for ever.
    hands.log('warn', 'a call could not be judged', { run: held.run, tool: name, problem: String(problem) });
    const why = shownTitle(
      hands.scrub(problem instanceof Error ? problem.message : String(problem)),
      PROBLEM_CHARS_MAX,
    );
    return { words: `Not done: it could not be judged: ${why}.`, problem: why };
  }
}

async function weigh(hands: SessionHands, held: Held, wanted: WantedCall, policy: Policy): Promise<Outcome> {
  switch (wanted.type) {
    case 'problem':
      return { words: `Not done: ${wanted.words}.` };
    case 'exec':
      return judgeExec(hands, wanted, policy);
    case 'patch':
      return judgePatch(hands, wanted.text, policy);
    case 'plan':
      return { report: wanted.report };
    case 'image': {
      const roots = [policy.cwd, ...policy.sandbox.writableRoots] as const;
      const image = await readImage(wanted.path, { roots, ...(hands.home !== null && { home: hands.home }) });
      return 'problem' in image ? { words: `Not shown: ${image.problem}.` } : { image: image.dataUrl };
    }
    case 'other':
      return (await judgeMcp(hands, held, wanted)) ?? noSuchTool(wanted.tool, policy);
  }
}

function noSuchTool(name: string, policy: Policy): NotDone {
  const names = toolsFor(policy).map((one) => one.name);
  return { words: `There is no tool ${shownTitle(name)} in this session; there are ${names.join(', ') || 'none'}.` };
}

type Sealing = { sealed: Sealed; policy: Policy; titleMax: number | undefined };
type Unnamed = CallJudgement extends infer One ? (One extends { callId: string } ? Omit<One, 'callId'> : never) : never;

function judgementOf(hands: SessionHands, outcome: Outcome, { sealed, policy, titleMax }: Sealing): Unnamed {
  if ('words' in outcome) {
    const said = answer(told(sealed, outcome.words));
    return 'problem' in outcome ? { ...said, problem: outcome.problem } : said;
  }
  if ('report' in outcome) return { ...answer({ words: 'The plan is shown.' }), plan: sealed.json(outcome.report) };
  if ('image' in outcome) {
    if (hands.scrub(outcome.image) === outcome.image) return answer({ ...sealed.text(outcome.image), image: true });
    return answer({ words: 'Not shown: the image holds what looks like a secret, and secrets are not kept.' });
  }
  const { plan, shown, title, facts } = outcome;
  const text = JSON.stringify(plan);
  // What is kept has no secrets in it: done from there, it would be something else.
  if (hands.scrub(text) !== text) return answer({ words: SECRET });
  return {
    ...{ type: 'deed', kind: plan.kind, plan: sealed.text(text), shown: sealed.json(shown), facts },
    ...{ hashes: callHashes(plan, policy), title: shownTitle(hands.scrub(title), titleMax) },
  };
}

/** What people are told of what is answered at once. A plan is shown as it is; of what nobody could judge they are warned. */
function noted(hands: SessionHands, judgement: Unnamed, call: GivenCall): Unnamed {
  if (judgement.type !== 'answer' || judgement.plan !== null || judgement.problem !== undefined) return judgement;
  const { output } = judgement;
  const success = 'image' in output;
  const wanted = wantedCall(call);
  const what = wanted.type === 'image' ? `${IMAGE_TOOL} ${wanted.path}` : toolNamed(call.tool);
  const why = 'words' in output ? output.words.replace(/\.$/, '') : 'not done';
  const words = shownTitle(hands.scrub(success ? what : `${what}: ${why}`), NOTE_CHARS_MAX);
  return { ...judgement, note: { words, success } };
}

const SECRET =
  'Not done: it holds what looks like a secret (a key, a token, a password), and secrets are neither kept nor passed on. Use a file or a variable that holds it.';

function answer(output: Told): Extract<Unnamed, { type: 'answer' }> {
  return { type: 'answer', output, plan: null };
}

/** Long words are kept beside the event. */
function told(sealed: Sealed, words: string): Told {
  return words.length <= WORDS_CHARS_MAX ? { words } : sealed.text(words);
}
