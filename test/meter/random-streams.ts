import type { Fault, Figures, Step } from '../../src/testing/index.js';
import { Random } from '../fuzz/random.js';
import { ask, bodyOf, Stage, WIRES, type WireName } from './stage.js';

const CHARACTERS = ['a', 'e', ' ', '\n', '"', '\\', 'ß', '好', '😀', 'data: ', '\u2028', '{', '}'];
/** Figures that cannot be. */
const LIES: readonly unknown[] = [-1, 1.5, '12', 1e12, true, [], Number.MAX_SAFE_INTEGER];

type Life = { wire: WireName; stream: boolean; wantsUsage: boolean; prompt: string; step: Step };

/** One answer, true or not, whole or not. The same seed and number give the same. */
export function randomLife(seed: number, number: number): Life {
  const random = new Random(seed, number);
  const reasoning = random.chance(0.4) ? { reasoning: words(random, 300) } : {};
  const text = random.chance(0.9) ? { text: words(random, 800) } : {};
  const calls = Array.from({ length: random.below(3) }, () => ({
    name: 'shell',
    arguments: { a: words(random, 200) },
  }));
  const fault = random.chance(0.5) ? randomFault(random) : undefined;
  const step: Step = {
    ...reasoning,
    ...text,
    ...(calls.length > 0 && { tool_calls: calls }),
    delta_chars: 3 + random.below(90),
    ...(random.chance(0.2) && { write_bytes: random.pick([23, 333, 1_500]) }),
    ...(random.chance(0.5) && { usage: randomUsage(random) }),
    ...(fault && { fault }),
  };
  const prompt = `stream-${number} ${words(random, 300)}`;
  return { wire: random.pick(WIRES), stream: random.chance(0.7), wantsUsage: random.chance(0.8), prompt, step };
}

function words(random: Random, max: number): string {
  return Array.from({ length: 1 + random.below(max) }, () => random.pick(CHARACTERS)).join('');
}

/** High enough to be believed for every text that can come. */
function randomUsage(random: Random): Figures {
  const [input, output] = [2_000 + random.below(1_000_000), 2_000 + random.below(100_000)];
  const cached_input = random.below(input + 1);
  const cache_write = random.below(input - cached_input + 1);
  return { input, output, cached_input, cache_write, reasoning: random.below(output + 1) };
}

function randomFault(random: Random): Fault {
  const after_deltas = random.below(30);
  switch (random.below(5)) {
    case 0:
      return { kind: 'no-usage' };
    case 1:
      return { kind: 'wrong-usage', report: randomLie(random) };
    case 2:
      return { kind: 'garbage', after_deltas };
    case 3:
      return { kind: 'error-event', type: 'overloaded_error', after_deltas };
    default:
      return { kind: 'cut', after_deltas };
  }
}

/** One figure is enough. The input is in all wires and comes first, so it is seen also when the stream is cut. */
function randomLie(random: Random): Record<keyof Figures, unknown> {
  const good = { input: 100_000, cached_input: 10, cache_write: 10, output: 100_000, reasoning: 10 };
  if (random.chance(0.3)) return { input: 0, cached_input: 0, cache_write: 0, output: 0, reasoning: 0 };
  return { ...good, [random.pick(['input', 'output'] as const)]: random.pick(LIES) };
}

export type Difference = { number: number; life: Life; counted: object; served: object };

const AT_ONCE = 16;

/** Streams through the proxy, each with a token of its own: what was counted, against the provider's own count. */
export async function compareCounts(seed: number, streams: number): Promise<Difference[]> {
  const lives = Array.from({ length: streams }, (_, number) => randomLife(seed, number));
  const turns = lives.map(({ prompt, step }) => ({
    when: { prompt: prompt.slice(0, prompt.indexOf(' ') + 1) },
    steps: [step],
  }));
  const stage = await Stage.open({ turns });
  const differences: Difference[] = [];
  let next = 0;
  const work = async () => {
    for (let number = next++; number < streams; number = next++) {
      const life = lives[number];
      if (life) differences.push(...(await compareOne(stage, number, life)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await stage.close();
  return differences;
}

async function compareOne(stage: Stage, number: number, life: Life): Promise<Difference[]> {
  const issued = stage.issue({}, { handoff: `h${number}` });
  const got = await ask(issued, life.wire, life);
  const usage = stage.meter.revoke(issued.token)?.usage;
  const own = stage.provider.served().find(({ id }) => id === got.headers['x-request-id']);
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage ?? {};
  const counted = {
    input: inputTokens,
    cached_input: cachedInputTokens,
    cache_write: cacheWriteTokens,
    output: outputTokens,
    reasoning: reasoningTokens,
  };
  const served = own?.tokens ?? {};
  const sentBytes = Buffer.byteLength(bodyOf(life.wire, life));
  const same = JSON.stringify(counted) === JSON.stringify(served) && own?.requestBytes === sentBytes;
  return same ? [] : [{ number, life, counted, served }];
}
