import { readJson } from '../../contracts/shared/read-json.js';
import { FACT_NAMES, type FactName, type Facts } from './request-facts.js';

export const FAILS = ['network', 'timeout', 'exit', 'garbage', 'limit', 'login', 'auth'] as const;
export type Fail = (typeof FAILS)[number];

/** One line of a script: when it is used, how often, and what then happens. */
export type ScriptEntry = {
  when: Facts;
  /** Null when it only fails. */
  answer: string | null;
  fail: Fail | null;
  delayMs: number;
  retryAfterMs: number | null;
  times: number;
};

const DELAY_MS_MAX = 24 * 3_600_000;
const RETRY_AFTER_S_MAX = 30 * 24 * 3_600;

export type Script = { entries: readonly ScriptEntry[] } | { problem: string };

export function readScript(bytes: Uint8Array): Script {
  const read = readJson(bytes);
  if ('denial' in read) return { problem: read.denial.reason };
  const answers = isRecord(read.value) ? read.value.answers : undefined;
  if (!Array.isArray(answers)) return { problem: '/answers is not an array' };
  try {
    return { entries: answers.map((entry, index) => entryOf(entry, `/answers/${index}`)) };
  } catch (problem) {
    if (problem instanceof ScriptProblem) return { problem: problem.message };
    throw problem;
  }
}

class ScriptProblem extends Error {}

function entryOf(value: unknown, at: string): ScriptEntry {
  if (!isRecord(value)) throw new ScriptProblem(`${at} is not an object`);
  const { when = {}, answer, fail = null, times } = value;
  if (fail !== null && !FAILS.includes(fail as Fail)) {
    throw new ScriptProblem(`${at}/fail is none of ${FAILS.join(', ')}`);
  }
  if (answer === undefined && fail === null) throw new ScriptProblem(`${at} has neither answer nor fail`);
  if (answer !== undefined && typeof answer !== 'string' && !isRecord(answer)) {
    throw new ScriptProblem(`${at}/answer is neither an object nor a text`);
  }
  return {
    when: factsOf(when, `${at}/when`),
    answer: answer === undefined ? null : typeof answer === 'string' ? answer : JSON.stringify(answer),
    fail: fail as Fail | null,
    delayMs: figure(value, 'delay_ms', at, DELAY_MS_MAX) ?? 0,
    retryAfterMs: seconds(figure(value, 'retry_after_s', at, RETRY_AFTER_S_MAX)),
    times: times === undefined ? Number.POSITIVE_INFINITY : timesOf(times, at),
  };
}

/** A condition that is not known would never or always hold: neither is what its writer meant. */
function factsOf(when: unknown, at: string): Facts {
  if (!isRecord(when)) throw new ScriptProblem(`${at} is not an object`);
  const facts: Facts = {};
  for (const [name, value] of Object.entries(when)) {
    if (!FACT_NAMES.includes(name as FactName))
      throw new ScriptProblem(`${at}/${name} is none of ${FACT_NAMES.join(', ')}`);
    if (typeof value !== 'string' && typeof value !== 'number') throw new ScriptProblem(`${at}/${name} is not a text`);
    facts[name as FactName] = String(value);
  }
  return facts;
}

function figure(entry: Record<string, unknown>, name: string, at: string, max: number): number | null {
  const value = entry[name];
  if (value === undefined) return null;
  if (typeof value === 'number' && value >= 0 && value <= max) return value;
  throw new ScriptProblem(`${at}/${name} is not a number from 0 to ${max}`);
}

function timesOf(times: unknown, at: string): number {
  if (typeof times === 'number' && Number.isSafeInteger(times) && times > 0) return times;
  throw new ScriptProblem(`${at}/times is not a whole number from 1 up`);
}

function seconds(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1_000);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
