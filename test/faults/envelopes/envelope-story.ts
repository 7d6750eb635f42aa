import type { Envelope } from '../../../src/contracts/generated/types/envelope.js';
import type { EnvelopeEvent } from '../../../src/core/envelope/envelope-messages.js';
import type { Deed, Said } from './envelope-agents.js';
import type { SentEnvelope } from './sent-envelope.js';

/** What the sender and the journal know of one envelope. */
export type Story = { sent: SentEnvelope; events: readonly EnvelopeEvent[] };
type Event<Type extends EnvelopeEvent['type']> = Extract<EnvelopeEvent, { type: Type }>;
type Stage = { agent: string; status: string; llm_calls: number };

const SHOWN_MAX = 160;

function all<Type extends EnvelopeEvent['type']>({ events }: Story, type: Type): Event<Type>[] {
  return events.filter((event): event is Event<Type> => event.type === type);
}

function resultOf({ sent }: Story): Envelope {
  return JSON.parse(sent.result ?? '') as Envelope;
}

function historyOf({ processing_history }: Envelope): Stage[] {
  return processing_history as Stage[];
}

/** What agents wrote down themselves: nobody was asked twice, beside another, without a record, or without need. */
export function callProblems(stories: readonly Story[], said: readonly Said[]): string[] {
  const recorded = new Set<string>();
  const problems: string[] = [];
  for (const story of stories) {
    const name = ({ handoff, attempt }: { handoff: string; attempt: number }): string =>
      `${story.sent.id}/${handoff}/${attempt}`;
    const lost = new Set(
      all(story, 'HandoffEnded')
        .filter(({ cause }) => cause === 'lost')
        .map(name),
    );
    for (const asked of all(story, 'HandoffAsked')) {
      if (recorded.has(name(asked))) problems.push(`${name(asked)} is twice in the journal`);
      recorded.add(name(asked));
      const before = name({ ...asked, attempt: asked.attempt - 1 });
      if (asked.attempt > 1 && !lost.has(before)) problems.push(`${name(asked)} was asked, and ${before} was not lost`);
    }
  }
  const begun = new Set<string>();
  for (const { what, handoff } of said) {
    if (what === 'overlap') problems.push(`${handoff} began while another agent of its envelope was alive`);
    else if (begun.has(handoff)) problems.push(`${handoff} was asked twice`);
    else if (!recorded.has(handoff)) problems.push(`${handoff} was asked and nobody wrote it down`);
    begun.add(handoff);
  }
  return problems;
}

/** Each counter of the document is what the journal comes to. */
export function countProblems(story: Story): string[] {
  const { id } = story.sent;
  const envelope = resultOf(story);
  const history = historyOf(envelope);
  const answered = all(story, 'HandoffEnded').filter(({ answer }) => answer !== null);
  const confirms = all(story, 'StageEnded').filter(({ end }) => end.type === 'confirm').length;
  const counted: [what: string, is: number | undefined, of: number, by: string][] = [
    ['llm_call_count', envelope.llm_call_count, answered.length, 'answers recorded'],
    ['handoffs answered', new Set(answered.map(({ handoff }) => handoff)).size, answered.length, 'answers recorded'],
    ['llm_calls', history.reduce((sum, { llm_calls }) => sum + llm_calls, 0), answered.length, 'answers recorded'],
    ['agent_hop_count', envelope.agent_hop_count, history.length, 'records'],
    ['records', history.length, all(story, 'StageEnded').length, 'stages ended'],
    ['records that wait', history.filter(({ status }) => status === 'waiting').length, confirms, 'confirmations asked'],
  ];
  return counted.flatMap(([what, is, of, by]) => (is === of ? [] : [`${id}: ${what} is ${is}, ${by} are ${of}`]));
}

/** Against the same script when nobody was killed. */
export function recountProblems(story: Story, expected: Envelope): { twice: string[]; other: string[] } {
  const { id, scriptName } = story.sent;
  const [is, was] = [timeless(resultOf(story)), timeless(expected)];
  const stages = (envelope: Envelope): string[] => historyOf(envelope).map(({ agent }) => agent);
  const [now, then] = [stages(is), stages(was)];
  const times = (list: readonly string[], stage: string): number => list.filter((one) => one === stage).length;
  const more = [...new Set(now)].filter((stage) => times(now, stage) > times(then, stage));
  const fields = [...new Set([...Object.keys(is), ...Object.keys(was)])];
  const differing = fields.filter((field) => JSON.stringify(is[field]) !== JSON.stringify(was[field]));
  return {
    twice: more.map(
      (stage) => `${id} (${scriptName}): ${stage} is recorded ${times(now, stage)} times, not ${times(then, stage)}`,
    ),
    other: differing.map((field) => {
      const shown = [is[field], was[field]].map((value) => JSON.stringify(value)?.slice(0, SHOWN_MAX));
      return `${id} (${scriptName}): ${field} is ${shown[0]}, undisturbed it is ${shown[1]}`;
    }),
  };
}

/** Without times and names, and without that somebody had to be asked again because tools were cut off. */
function timeless(envelope: Envelope): Envelope {
  const { completed_at: _, confirmation_id: __, confirmation_message: ___, agent_hop_count: ____, ...rest } = envelope;
  const named = JSON.stringify(rest).replaceAll(envelope.envelope_id.replace('env_', ''), '');
  const plain = JSON.parse(named, (key, value) =>
    /^(started_at|completed_at|duration_ms)$/.test(key) ? undefined : value,
  );
  const history = historyOf(plain).filter(({ status }) => status !== 'waiting');
  return { ...plain, processing_history: history };
}

/** A step that changes something ran no more often than somebody agreed to it, and was done in the end. */
export function deedProblems(stories: readonly Story[], deeds: readonly Deed[]): string[] {
  return stories.flatMap(({ sent: { id, answered, script, result } }) => {
    const asked = answered.filter(({ envelope }) => envelope.confirmation_pending);
    const messages = new Map(asked.map(({ envelope }) => [envelope.confirmation_id, envelope.confirmation_message]));
    const plans = new Set(deeds.filter(({ envelope }) => envelope === id).map(({ plan }) => plan));
    const wanted = [...messages.values()].flatMap((message) => /plan: "(\w+)"/.exec(message ?? '')?.[1] ?? []);
    return [...new Set([...plans, ...wanted])].flatMap((plan) => {
      const ran = deeds.filter((deed) => deed.envelope === id && deed.plan === plan).length;
      const agreed = script.agrees ? wanted.filter((one) => one === plan).length : 0;
      if (ran > agreed) return [`${id}: the step of ${plan} ran ${ran} times, and ${agreed} times somebody agreed`];
      return script.agrees && ran === 0 && result !== null ? [`${id}: the step of ${plan} has never run`] : [];
    });
  });
}
