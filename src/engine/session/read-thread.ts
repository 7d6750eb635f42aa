import type { BodyRef } from '../../core/kernel/effect.js';
import type { TurnFacts } from '../../core/session/session-effects.js';
import type { NewInput, SessionOrder, ThreadNode, Told } from '../../core/session/session-messages.js';
import type { LiveSession } from '../../core/session/session-state.js';
import type { RunId } from '../ports.js';
import { shortenThread } from './shorten-thread.js';
import { standingInstructions } from './standing-instructions.js';
import { type Item, ThreadItems, userItem } from './thread-items.js';

export type ThreadSources = {
  state(run: RunId): Promise<LiveSession>;
  body(sha256: string): Promise<Uint8Array | undefined>;
  /** What the model may call. */
  tools(order: SessionOrder): Promise<readonly object[]>;
};

/** All that one request to the model says. */
export type TurnRequest = {
  model: string;
  instructions: string;
  input: readonly object[];
  tools: readonly object[];
  previousResponseId: string | null;
  /** The provider keeps the response, so that the next one can name it. */
  store: boolean;
  task: string;
};

/** Begins names of responses that have none of their provider's. */
export const LOCAL_RESPONSE = 'local-';
const COPIES_MAX = 20;

/** The same facts always give the same request. */
export async function turnRequest(sources: ThreadSources, run: RunId, facts: TurnFacts): Promise<TurnRequest> {
  const session = await sources.state(run);
  const { order, task } = session;
  const chain = await chainOf(sources, session.nodes, facts.head);
  const origin = chain.length === 0 ? session.origin : (chain[0]?.origin ?? null);
  // A thread that is to be summarised may be too long for its provider, so it is sent where that is possible.
  const isServed = origin !== null || (order.history === 'server' && !facts.compacts && !facts.whole);
  const start = isServed ? servedUpTo(chain, order.agent, origin !== null) : 0;
  const items = new ThreadItems();
  const kept = chain[start - 1];
  if (kept?.output) items.respond(await jsonList(sources, kept.output), { isKept: true });
  for (const node of chain.slice(start)) {
    await addInput(sources, items, node.input);
    if (node.output) items.respond(await jsonList(sources, node.output));
  }
  await addInput(sources, items, session.pending.slice(0, facts.pending));
  items.closeCalls();
  const [instructions, tools] = await Promise.all([
    instructionsOf(sources, order),
    facts.compacts ? [] : sources.tools(order),
  ]);
  return {
    ...{ model: order.model, instructions, tools, task: task?.id ?? '' },
    input: facts.compacts ? toSummarise(items.items, order.contextWindow, facts.harder) : items.items,
    previousResponseId: kept?.responseId ?? (isServed ? origin : null),
    store: isServed || order.history === 'server',
  };
}

/** From the oldest node to the head; what was copied from other sessions stands where it was taken over. */
async function chainOf(
  sources: ThreadSources,
  nodes: readonly ThreadNode[],
  head: number | null,
  depth = 0,
): Promise<ThreadNode[]> {
  const chain: ThreadNode[] = [];
  const seen = new Set<number>();
  for (let place = head; place !== null && !seen.has(place); ) {
    seen.add(place);
    const node = nodes[place];
    if (!node) break;
    const copied = node.copied && depth < COPIES_MAX ? await copiedChain(sources, node, node.copied, depth) : [];
    // Newest first, as the whole is turned round below.
    chain.push(...(node.copied ? copied.reverse() : [node]));
    place = node.parent;
  }
  return chain.reverse();
}

async function copiedChain(
  sources: ThreadSources,
  { responseId }: ThreadNode,
  copied: BodyRef,
  depth: number,
): Promise<ThreadNode[]> {
  const nodes = (await jsonList(sources, copied)) as ThreadNode[];
  const named = nodes.findLastIndex((node) => node.responseId === responseId);
  return chainOf(sources, nodes, named === -1 ? nodes.length - 1 : named, depth + 1);
}

/**
 * How much of the thread a provider has that keeps it: up to the last response that it was told to keep and gave a name.
 * Where that was not noted, it has what follows a beginning that only it knows.
 */
function servedUpTo(chain: readonly ThreadNode[], agent: string, hasOrigin: boolean): number {
  return (
    chain.findLastIndex(({ output, responseId, keptBy }) => {
      const isKept = keptBy === undefined ? hasOrigin : keptBy === agent;
      return output !== null && !responseId.startsWith(LOCAL_RESPONSE) && isKept;
    }) + 1
  );
}

async function addInput(sources: ThreadSources, items: ThreadItems, input: readonly NewInput[]): Promise<void> {
  for (const one of input) {
    if (one.type === 'items') items.say(await itemsIn(sources, one.items));
    else if (one.type === 'left-out') items.say([userItem(leftOutWords(one))]);
    else {
      const { callId, custom, output } = one;
      const isImage = 'image' in output;
      items.answer({ callId, custom, text: await toldText(sources, output), isImage });
    }
  }
}

const WHY = { full: 'too long for your window', refused: 'your provider refused it' } as const;

function leftOutWords({ inputs, why }: Extract<NewInput, { type: 'left-out' }>): string {
  const what = inputs === 1 ? 'An input of the user is' : `${inputs} inputs of the user are`;
  return `${what} left out here: ${WHY[why]}.`;
}

/** A list of items; or a message, which is the summary of what was before. */
async function itemsIn(sources: ThreadSources, ref: BodyRef): Promise<readonly unknown[]> {
  const value: unknown = JSON.parse(await textOf(sources, ref));
  if (Array.isArray(value)) return value;
  const { message } = value as { message?: unknown };
  return [userItem(`Summary of what was said before: ${message}`)];
}

async function toldText(sources: ThreadSources, told: Told): Promise<string> {
  if ('words' in told) return told.words;
  const text = await textOf(sources, told);
  return told.after === undefined ? text : `${text}\n\n${told.after}`;
}

async function instructionsOf(sources: ThreadSources, order: SessionOrder): Promise<string> {
  const standing = standingInstructions(order);
  return order.instructions ? `${standing}\n\n${await textOf(sources, order.instructions)}` : standing;
}

const SUMMARISE = `Sum up this thread for whoever goes on with it and sees nothing but your summary. Say what was asked for, what was done, what was decided and why, what is open, and which files, commands and names matter. Answer with the summary alone.`;

function toSummarise(items: readonly Item[], windowTokens: number, harder = 0): readonly Item[] {
  return [...shortenThread(items, windowTokens, harder), userItem(SUMMARISE)];
}

async function jsonList(sources: ThreadSources, ref: BodyRef): Promise<readonly unknown[]> {
  const value: unknown = JSON.parse(await textOf(sources, ref));
  return Array.isArray(value) ? value : [];
}

async function textOf({ body }: ThreadSources, { sha256 }: BodyRef): Promise<string> {
  const bytes = await body(sha256);
  if (!bytes) throw new Error(`a part of the thread is not in the store: ${sha256}`);
  return new TextDecoder().decode(bytes);
}
