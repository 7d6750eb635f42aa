import { parse, stringify } from 'yaml';
import { BatonError } from '../../contracts/shared/errors.js';
import { isObject } from '../../contracts/shared/is-object.js';
import type { AgentDefinition } from '../agents/agent-definition.js';

const BODY_LENGTH_MAX = 64 * 1024;
const DESCRIPTION_LENGTH_MAX = 1000;
const NAME_LENGTH_MAX = 64;
const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/;

/** Control and direction characters say nothing to a reader and may mislead one. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to leave out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]|[\ud800-\udfff]/gu;

/** File names of agents: each safe, no two the same. Agents without a usable name are called by their number. */
export function agentFileNames(agents: readonly AgentDefinition[]): readonly string[] {
  const taken = new Set<string>();
  return agents.map(({ name }, index) => {
    const plain = plainName(name) || `agent-${index + 1}`;
    let free = plain;
    for (let number = 2; taken.has(free); number += 1) free = `${plain}-${number}`;
    taken.add(free);
    return `${free}.md`;
  });
}

function plainName(name: string): string {
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.slice(0, NAME_LENGTH_MAX).replace(/^-+|-+$/g, '');
}

/** An agent as Markdown with front matter. Whatever its texts hold, they stay the values they are. */
export function agentFile(agent: AgentDefinition, fileName: string): string {
  const front = {
    name: fileName.replace(/\.md$/, ''),
    description: seen(agent.description).replaceAll(/\s+/g, ' ').trim().slice(0, DESCRIPTION_LENGTH_MAX),
    technologies: agent.technologies.map((technology) => seen(technology).slice(0, NAME_LENGTH_MAX)),
    priority: agent.priority,
    source: agent.source,
  };
  const body = seen(agent.body).slice(0, BODY_LENGTH_MAX).trim();
  return `---\n${stringify(front, { lineWidth: 0 })}---\n\n${body}\n`;
}

function seen(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSEEN, '');
}

/** What the front matter says; used to see that a file is one. */
export function readAgentFile(text: string, file: string): { name: string; description: string } {
  const [, front] = FRONT_MATTER.exec(text) ?? [];
  if (front === undefined) throw new BatonError('TEMPLATE_INVALID', `${file} has no front matter`, { file });
  let said: unknown;
  try {
    said = parse(front, { maxAliasCount: 0 });
  } catch (failure) {
    const [reason] = (failure as Error).message.split('\n');
    throw new BatonError('TEMPLATE_INVALID', `the front matter of ${file} cannot be read: ${reason}`, { file });
  }
  const { name, description } = isObject(said) ? said : {};
  if (typeof name === 'string' && typeof description === 'string') return { name, description };
  throw new BatonError('TEMPLATE_INVALID', `the front matter of ${file} names no name and description`, { file });
}
