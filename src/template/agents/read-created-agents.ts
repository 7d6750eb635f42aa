import {
  answerObject,
  type Fields,
  invalid,
  lineField,
  linesField,
  listField,
  objectField,
  textField,
} from '../answer/read-answer.js';
import type { AgentDefinition, AgentNeed } from './agent-definition.js';
import { isAgentName } from './agent-name.js';
import { agentFromNeed } from './heuristic-agents.js';

const ANSWERS_MAX = 20;
const NAME_MAX = 60;
const DESCRIPTION_MAX = 500;
const TECHNOLOGIES = { itemsMax: 20, lengthMax: 80 };
const BODY_MAX = 20_000;
const PRIORITY_MAX = 10;

/**
 * Phase 6: an agent's answer, one definition for each need and in their order. Agents that nobody asked for are left
 * out; a need that was not answered is written from what it says itself.
 */
export function readCreatedAgents(text: string, needs: readonly AgentNeed[]): AgentDefinition[] {
  const items = listField(answerObject(text), 'agents', ANSWERS_MAX);
  if (items === undefined) throw invalid('/agents', 'is missing');
  const answered = new Map<string, AgentDefinition>();
  for (const [index, item] of items.entries()) {
    const agent = readAgent({ [index]: item }, String(index), needs);
    if (answered.has(agent.name)) throw invalid(`/agents/${index}/name`, `stands twice: ${agent.name}`);
    answered.set(agent.name, agent);
  }
  if (!needs.some(({ name }) => answered.has(name))) throw invalid('/agents', 'has none of the agents that are needed');
  return needs.map((need, place) => answered.get(need.name) ?? agentFromNeed(need, place));
}

function readAgent(items: Fields, index: string, needs: readonly AgentNeed[]): AgentDefinition {
  const at = `/agents/${index}`;
  const fields = objectField(items, index, '/agents') ?? {};
  const name = lineField(fields, 'name', NAME_MAX, at);
  if (name === undefined || !isAgentName(name)) throw invalid(`${at}/name`, 'is no name in kebab-case');
  const place = needs.findIndex((need) => need.name === name);
  const need = needs[place] ?? { name, description: name, reason: '', technologies: [], about: null };
  const own = agentFromNeed(need, Math.max(0, place));
  const body = withoutFrontMatter(textField(fields, 'body', BODY_MAX, at) ?? '');
  if (body === '') throw invalid(`${at}/body`, 'is missing');
  return {
    name,
    description: lineField(fields, 'description', DESCRIPTION_MAX, at) ?? own.description,
    technologies: linesField(fields, 'technologies', TECHNOLOGIES, at) ?? own.technologies,
    priority: priorityOf(fields, at) ?? own.priority,
    body,
    source: 'agent',
  };
}

function priorityOf({ priority }: Fields, at: string): number | undefined {
  if (priority === undefined || priority === null) return undefined;
  if (!Number.isInteger(priority) || (priority as number) < 1 || (priority as number) > PRIORITY_MAX) {
    throw invalid(`${at}/priority`, `is no whole number from 1 to ${PRIORITY_MAX}`);
  }
  return priority as number;
}

/** The file gets front matter of its own: another one would be read as its text, or instead of it. */
function withoutFrontMatter(body: string): string {
  if (!/^---[ \t]*\n/.test(body)) return body;
  const end = body.indexOf('\n---', 3);
  return end === -1
    ? body.replace(/^-+[ \t]*\n/, '').trim()
    : body.slice(body.indexOf('\n', end + 1) + 1 || body.length).trim();
}
