import type { Envelope } from '../../../src/contracts/generated/types/envelope.js';
import type { EnvelopeEvent } from '../../../src/core/envelope/envelope-messages.js';
import type { RunRow } from '../../../src/engine/ports.js';
import { allRows } from '../stage/examine-home.js';
import type { EnvelopeStage } from './envelope-stage.js';
import { callProblems, countProblems, deedProblems, recountProblems, type Story } from './envelope-story.js';
import type { Undisturbed } from './undisturbed.js';

type Found = { acknowledged: number; lost: string[]; twice: string[]; other: string[]; notes: string[] };

/** Everything that must hold when all envelopes have ended and nobody runs any more. */
export async function examineEnvelopes(stage: EnvelopeStage, expected: Undisturbed): Promise<Found> {
  const { store, sent, agents } = stage;
  const rows = await allRows(store);
  const stories = sent.map((envelope): Story => {
    const own = rows.filter(({ run }) => run === envelope.id);
    return { sent: envelope, events: own.map(({ type, data }) => ({ ...JSON.parse(data), type }) as EnvelopeEvent) };
  });
  const ended = stories.filter(({ sent: { result } }) => result !== null);
  const against = ended.map((story) => recountProblems(story, expected.get(story.sent.scriptName) as Envelope));
  const { items } = await store.runs({ kind: 'envelope', limit: 1_000 });
  const again = await sentAgain(stage);
  const other = await secondAnswers(stage);
  await stage.run('audit', 'verify'); // that it fails is a problem of the stage
  return {
    acknowledged: sent.reduce((sum, { answered, result }) => sum + answered.length + (result === null ? 0 : 1), 0),
    lost: [
      ...stage.open.map(({ id, scriptName }) => `${id} (${scriptName}) has never come to its end`),
      ...(await Promise.all(ended.map((story) => recordProblems(stage, story)))).flat(),
      ...again,
    ],
    twice: [
      ...callProblems(stories, agents.said()),
      ...against.flatMap(({ twice }) => twice),
      ...deedProblems(stories, agents.deeds()),
    ],
    other: [
      ...ended.flatMap(countProblems),
      ...against.flatMap(({ other }) => other),
      ...sent.flatMap(({ problems }) => problems),
      ...other,
      ...items.flatMap(restless),
      ...(await store.processes.list({})).map(({ run, pid }) => `the process ${pid} of ${run} is still in the table`),
      ...(await store.inbox({ open: true, limit: 100 })).map(({ run, key }) => `${run}: ${key} is still asked`),
      ...stage.repository.problems(),
    ],
    notes: notesOn(stories, stage),
  };
}

/** What somebody was told is what the record says. */
async function recordProblems({ store }: EnvelopeStage, { sent, events }: Story): Promise<string[]> {
  const moves = events.flatMap((event) => ('moved' in event ? [event.moved] : []));
  const document = moves.at(-1)?.document.sha256;
  const bytes = document === undefined ? undefined : await store.body(document);
  if (bytes && new TextDecoder().decode(bytes) === sent.result) return [];
  return [`${sent.id} was told to have ended, and the record says something else`];
}

/** As it was sent at first, with the last answer, and as it ended: the same comes back, byte for byte. */
async function sentAgain(stage: EnvelopeStage): Promise<string[]> {
  const ended = stage.sent.flatMap(({ id, first, input, result }) =>
    result === null ? [] : [first, input, JSON.parse(result) as object].map((document) => ({ id, result, document })),
  );
  const lines = await stage.answersTo(ended.map(({ document }) => document));
  return ended.flatMap(({ id, result }, index) =>
    lines[index] === result ? [] : [`${id} was sent again, and came back as ${lines[index]?.slice(0, 200)}`],
  );
}

/** What was answered cannot be answered in another way. */
async function secondAnswers(stage: EnvelopeStage): Promise<string[]> {
  const others = stage.sent.flatMap(({ id, answered, script }) =>
    answered.map(({ envelope }) => {
      const change = envelope.clarification_pending
        ? { clarification_response: 'Another one' }
        : { confirmation_response: !script.agrees };
      return { id, document: { ...envelope, ...change } };
    }),
  );
  const lines = await stage.answersTo(others.map(({ document }) => document));
  return others.flatMap(({ id }, index) => {
    const said = JSON.parse(lines[index] ?? '{}') as { error?: true };
    return said.error ? [] : [`${id} took a second answer: ${lines[index]?.slice(0, 200)}`];
  });
}

function restless({ run, status, ended, owes, wakeAtMs, owner }: RunRow): string[] {
  return [
    ...(ended && !owes && wakeAtMs === null ? [] : [`${run} is not at rest: ${status}`]),
    ...(owner === null ? [] : [`${run} still belongs to ${owner}`]),
  ];
}

function notesOn(stories: readonly Story[], { agents, sent }: EnvelopeStage): string[] {
  const events = stories.flatMap((story) => story.events);
  const count = (holds: (event: EnvelopeEvent) => boolean): number => events.filter(holds).length;
  const lost = count((event) => event.type === 'HandoffEnded' && event.cause === 'lost');
  const answers = count((event) => event.type === 'HandoffEnded' && event.answer !== null);
  const tools = count(({ type }) => type === 'ToolsLost');
  return [
    `${sent.length} envelopes, ${events.length} events, ${answers} answers, ${lost} asks lost and asked again, ${tools} times tools were cut off`,
    `${agents.said().length} times an agent began, ${agents.deeds().length} times a step that changes something`,
    `${sent.reduce((sum, { answered }) => sum + answered.length, 0)} questions answered, each a second time refused`,
  ];
}
