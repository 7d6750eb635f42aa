import { pathProblem } from '../../contracts/shared/relative-path.js';
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
import { languageOf } from '../project/languages.js';
import type { AgentDefinition } from './agent-definition.js';
import { type Enhancement, type Example, enhancedBody } from './enhanced-body.js';
import { boundariesFor } from './heuristic-enhancement.js';

const ANSWERS_MAX = 20;
const NAME_MAX = 60;
const EXAMPLES_MAX = 5;
const TITLE_MAX = 200;
const CODE_MAX = 6_000;
const PATH_MAX = 400;
const SENTENCES = { itemsMax: 15, lengthMax: 400 };
const PATHS = { itemsMax: 40, lengthMax: PATH_MAX };

/**
 * Phase 7: an agent's answer. Who was not answered stays as it is; boundaries that were not said are the usual ones.
 * Of files, only those that are in the template are named.
 */
export function readEnhancement(
  text: string,
  agents: readonly AgentDefinition[],
  templateFiles: readonly string[],
): AgentDefinition[] {
  const items = listField(answerObject(text), 'agents', ANSWERS_MAX);
  if (items === undefined) throw invalid('/agents', 'is missing');
  const known = new Set(templateFiles);
  const answered = new Map<string, Fields>();
  for (const [index, item] of items.entries()) {
    const fields = objectField({ [index]: item }, String(index), '/agents') ?? {};
    const name = lineField(fields, 'name', NAME_MAX, `/agents/${index}`);
    if (name === undefined) throw invalid(`/agents/${index}/name`, 'is missing');
    if (answered.has(name)) throw invalid(`/agents/${index}/name`, `stands twice: ${name}`);
    answered.set(name, fields);
  }
  if (!agents.some(({ name }) => answered.has(name)))
    throw invalid('/agents', 'has none of the agents that were named');
  return agents.map((agent) => {
    const fields = answered.get(agent.name);
    if (!fields) return agent;
    const enhancement = readOne(fields, agent, `/agents/${agent.name}`);
    const relatedFiles = enhancement.relatedFiles.filter((file) => known.has(file));
    return { ...agent, body: enhancedBody(agent.body, { ...enhancement, relatedFiles }), source: 'agent' };
  });
}

function readOne(fields: Fields, agent: AgentDefinition, at: string): Enhancement {
  const usual = boundariesFor(agent, {});
  const sentences = (key: string, otherwise: readonly string[]): readonly string[] => {
    const said = linesField(fields, key, SENTENCES, at);
    return said && said.length > 0 ? said : otherwise;
  };
  const examples = listField(fields, 'examples', EXAMPLES_MAX, at) ?? [];
  const relatedFiles = linesField(fields, 'related_files', PATHS, at) ?? [];
  for (const file of relatedFiles) refuseOutside(file, `${at}/related_files`);
  return {
    examples: examples.map((example, index) => readExample(example, `${at}/examples/${index}`)),
    always: sentences('always', usual.always),
    never: sentences('never', usual.never),
    askFirst: sentences('ask_first', usual.askFirst),
    relatedFiles,
  };
}

function readExample(value: unknown, at: string): Example {
  const fields = objectField({ example: value }, 'example', at) ?? {};
  const code = textField(fields, 'code', CODE_MAX, at);
  if (!code) throw invalid(`${at}/code`, 'is missing');
  const path = lineField(fields, 'path', PATH_MAX, at) ?? null;
  if (path !== null) refuseOutside(path, `${at}/path`);
  const title = lineField(fields, 'title', TITLE_MAX, at) ?? path ?? 'Example';
  return { title, path, language: path === null ? null : languageOf(path), code };
}

function refuseOutside(path: string, at: string): void {
  const problem = pathProblem(path);
  if (problem !== undefined) throw invalid(at, problem);
}
