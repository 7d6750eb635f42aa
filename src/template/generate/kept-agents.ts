import { isObject } from '../../contracts/shared/is-object.js';
import type { AgentDefinition, AgentNeed } from '../agents/agent-definition.js';

/** What a checkpoint keeps of agents. Anybody may have written it: what is not as it should be is as if it were not there. */
export function keptAgents(value: unknown): readonly AgentDefinition[] | undefined {
  return listOf(value, ({ name, description, technologies, priority, body, source }) =>
    isText(name) && isText(description) && isText(body) && isTexts(technologies) && isPriority(priority)
      ? { name, description, technologies, priority, body, source: source === 'agent' ? 'agent' : 'heuristics' }
      : undefined,
  );
}

export function keptNeeds(value: unknown): readonly AgentNeed[] | undefined {
  return listOf(value, ({ name, description, reason, technologies, about }) =>
    isText(name) && isText(description) && isText(reason) && isTexts(technologies)
      ? { name, description, reason, technologies, about: isText(about) ? about : null }
      : undefined,
  );
}

/** Names in `existing_agents`, whoever they belong to. */
export function keptNames(value: unknown): readonly string[] | undefined {
  if (!isObject(value)) return undefined;
  return Object.values(value).flatMap((names) => (Array.isArray(names) ? names.filter(isText) : []));
}

function listOf<T>(value: unknown, read: (item: Record<string, unknown>) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item) => (isObject(item) ? read(item) : undefined));
  return items.every((item) => item !== undefined) ? items : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isPriority(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
