import { isObject } from '../shared/is-object.js';
import { type Denial, deny } from '../shared/verdict.js';
import type { BridgePhase, BridgeProfile } from './bridge-profile.js';

const PHASE_MAX = 9;

/** A workflow that somebody has registered. What it says wrongly is named by its place. */
export function readProfile(value: unknown): BridgeProfile | Denial {
  if (!isObject(value) || !isName(value.name)) return wrong('/name', 'is no name');
  const { name, phases } = value;
  if (!Array.isArray(phases) || phases.length === 0) return wrong('/phases', 'is no list of phases');
  const read: BridgePhase[] = [];
  for (const [index, row] of phases.entries()) {
    const problem = problemOf(row, `/phases/${index}`);
    if (problem) return problem;
    if (read.some(({ phase }) => phase === row.phase)) return wrong(`/phases/${index}/phase`, 'stands there twice');
    read.push(row);
  }
  return { name, phases: read };
}

function problemOf(row: unknown, path: string): Denial | null {
  if (!isObject(row)) return wrong(path, 'is no object');
  const { phase, phase_name, agent_name, required } = row;
  if (!Number.isInteger(phase) || (phase as number) < 1 || (phase as number) > PHASE_MAX) {
    return wrong(`${path}/phase`, `is no whole number from 1 to ${PHASE_MAX}`);
  }
  if (!isName(phase_name)) return wrong(`${path}/phase_name`, 'is no name');
  if (!isName(agent_name)) return wrong(`${path}/agent_name`, 'is no name');
  const isList = required === undefined || (Array.isArray(required) && required.every(isName));
  return isList ? null : wrong(`${path}/required`, 'is no list of field names');
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function wrong(path: string, what: string): Denial {
  return deny('SCHEMA_INVALID', `${path} ${what}`, { path });
}
