import { readJson } from '../contracts/shared/read-json.js';
import type { Fault, ModelScenario, Step } from './model-scenario.js';

type Check = (value: unknown, at: string) => void;
type Shape = Readonly<Record<string, Check>>;

/** A scenario file, or what is wrong with it. Names that are not known are refused: they would do nothing. */
export function readModelScenario(bytes: Uint8Array | string): { scenario: ModelScenario } | { problem: string } {
  const read = readJson(bytes);
  if ('denial' in read) return { problem: read.denial.reason };
  try {
    SCENARIO(read.value, '');
    return { scenario: read.value as ModelScenario };
  } catch (problem) {
    if (problem instanceof ScenarioProblem) return { problem: problem.message };
    throw problem;
  }
}

class ScenarioProblem extends Error {}

const DELAY_MS_MAX = 24 * 3_600_000;
const COUNT_MAX = 1_000_000_000;

const text: Check = (value, at) => want(typeof value === 'string', at, 'a text');
const anything: Check = () => {};

const AFTER: Shape = { after_deltas: count() };
/** What each kind of fault needs besides its name, and what it may have. */
const FAULTS: Readonly<Record<Fault['kind'], { needs: Shape; may?: Shape }>> = {
  status: {
    needs: { status: count(599, 400) },
    may: { retry_after_s: count(), type: text, message: text, headers: texts },
  },
  redirect: { needs: { location: text } },
  cut: { needs: AFTER },
  hang: { needs: AFTER },
  garbage: { needs: AFTER },
  'error-event': { needs: { ...AFTER, type: text }, may: { message: text } },
  endless: { needs: AFTER },
  'no-end': { needs: {} },
  incomplete: { needs: {} },
  'no-id': { needs: {} },
  'no-usage': { needs: {} },
  'wrong-usage': {
    needs: { report: figures(anything) },
  },
};

const STEP: Readonly<Record<keyof Step, Check>> = {
  reasoning: text,
  sealed_reasoning: text,
  text,
  tool_calls: list(toolCall),
  usage: figures(count()),
  delay_ms: count(DELAY_MS_MAX),
  delta_delay_ms: count(DELAY_MS_MAX),
  delta_chars: count(COUNT_MAX, 1),
  write_bytes: count(COUNT_MAX, 1),
  fault,
};
const TURN = record({ when: record({ prompt: text, model: text }) }, { steps: list(record(STEP)) });
const SCENARIO = record({ models: list(text) }, { turns: list(TURN) });

function fault(value: unknown, at: string): void {
  const { kind } = recordAt(value, at);
  const known = Object.hasOwn(FAULTS, String(kind)) ? FAULTS[kind as Fault['kind']] : undefined;
  if (!known) throw new ScenarioProblem(`${at}/kind is none of ${Object.keys(FAULTS).join(', ')}`);
  record({ retries_below: count(), ...known.may }, { kind: text, ...known.needs })(value, at);
}

function toolCall(value: unknown, at: string): void {
  const says: Shape = Object.hasOwn(recordAt(value, at), 'input') ? { input: text } : { arguments: recordAt };
  record({ namespace: text }, { name: text, ...says })(value, at);
}

function texts(value: unknown, at: string): void {
  for (const [name, item] of Object.entries(recordAt(value, at))) text(item, `${at}/${name}`);
}

function figures(figure: Check): Check {
  return record({ input: figure, cached_input: figure, cache_write: figure, output: figure, reasoning: figure });
}

function record(may: Shape, needs: Shape = {}): Check {
  return (value, at) => {
    const found = recordAt(value, at);
    for (const name of Object.keys(needs)) want(Object.hasOwn(found, name), `${at}/${name}`, 'there');
    for (const [name, item] of Object.entries(found)) {
      const check = Object.hasOwn(needs, name) ? needs[name] : Object.hasOwn(may, name) ? may[name] : undefined;
      if (!check) throw new ScenarioProblem(`${at}/${name} is not known`);
      check(item, `${at}/${name}`);
    }
  };
}

function list(item: Check): Check {
  return (value, at) => {
    want(Array.isArray(value), at, 'an array');
    for (const [index, one] of (value as unknown[]).entries()) item(one, `${at}/${index}`);
  };
}

function count(max = COUNT_MAX, min = 0): Check {
  return (value, at) => {
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
    want(fits, at, `a whole number from ${min} to ${max}`);
  };
}

function recordAt(value: unknown, at: string): Record<string, unknown> {
  want(typeof value === 'object' && value !== null && !Array.isArray(value), at || '/', 'an object');
  return value as Record<string, unknown>;
}

function want(holds: boolean, at: string, what: string): void {
  if (!holds) throw new ScenarioProblem(`${at} is not ${what}`);
}
