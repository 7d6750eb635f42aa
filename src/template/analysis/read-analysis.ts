import { pathProblem } from '../../contracts/shared/relative-path.js';
import {
  answerObject,
  type Fields,
  invalid,
  lineField,
  linesField,
  listField,
  objectField,
  shareField,
} from '../answer/read-answer.js';
import type { CodebaseAnalysis, Layer } from './codebase-analysis.js';

const NAME_MAX = 80;
const PATH_MAX = 400;
const NAMES = { itemsMax: 40, lengthMax: NAME_MAX };
const PATHS = { itemsMax: 40, lengthMax: PATH_MAX };
const LAYERS_MAX = 40;

/** Phase 1: an agent's answer, with what it does not say taken from the heuristics. */
export function readAnalysis(text: string, heuristics: CodebaseAnalysis): CodebaseAnalysis {
  const answer = answerObject(text);
  const stack = objectField(answer, 'technology_stack');
  const architecture = objectField(answer, 'architecture');
  if (!stack && !architecture) throw invalid('', 'has neither technology_stack nor architecture');
  const frameworks = frameworksOf(stack ?? {}) ?? heuristics.frameworks;
  const layers = layersOf(architecture ?? {}, heuristics) ?? heuristics.layers;
  const exemplars = pathsField(answer, 'exemplars') ?? heuristics.exemplars;
  return {
    ...heuristics,
    primary_language: lineField(stack ?? {}, 'primary_language', NAME_MAX, STACK) ?? heuristics.primary_language,
    framework: frameworks?.[0] ?? heuristics.framework,
    patterns: linesField(architecture ?? {}, 'patterns', NAMES, ARCHITECTURE) ?? heuristics.patterns,
    ...(frameworks && { frameworks }),
    ...(layers && { layers }),
    ...(exemplars && { exemplars }),
    test_framework: lineField(stack ?? {}, 'test_framework', NAME_MAX, STACK) ?? heuristics.test_framework ?? null,
    build_tool: lineField(stack ?? {}, 'build_tool', NAME_MAX, STACK) ?? heuristics.build_tool ?? null,
    confidence: confidenceOf(answer, stack, architecture),
    source: 'agent',
  };
}

const STACK = '/technology_stack';
const ARCHITECTURE = '/architecture';

/** Some say `framework` for the one that matters. */
function frameworksOf(stack: Fields): string[] | undefined {
  const one = lineField(stack, 'framework', NAME_MAX, STACK);
  const all = linesField(stack, 'frameworks', NAMES, STACK);
  return one === undefined ? all : [...new Set([one, ...(all ?? [])])];
}

/** As said for the whole; else the lower one of its parts; null when nothing was said. */
function confidenceOf(answer: Fields, stack?: Fields, architecture?: Fields): number | null {
  const parts = [
    stack && shareField(stack, 'confidence', STACK),
    architecture && shareField(architecture, 'confidence', ARCHITECTURE),
  ].filter((part) => part !== undefined);
  return (
    shareField(answer, 'overall_confidence') ??
    shareField(answer, 'confidence') ??
    (parts.length > 0 ? Math.min(...parts) : null)
  );
}

/** A layer is an object, or just its name. */
function layersOf(architecture: Fields, heuristics: CodebaseAnalysis): Layer[] | undefined {
  const items = listField(architecture, 'layers', LAYERS_MAX, ARCHITECTURE);
  return items?.map((item, index) => {
    const at = `${ARCHITECTURE}/layers/${index}`;
    const fields = typeof item === 'string' ? { name: item } : objectField({ [index]: item }, String(index), at);
    const name = fields && lineField(fields, 'name', NAME_MAX, at);
    if (!fields || name === undefined) throw invalid(at, 'has no name');
    const known = heuristics.layers?.find((layer) => layer.name.toLowerCase() === name.toLowerCase());
    return { name, folders: pathsField(fields, 'folders', at) ?? known?.folders ?? [], files: known?.files ?? 0 };
  });
}

/** A path that leads out of the project refuses the whole answer: nothing in it can be trusted then. */
function pathsField(fields: Fields, key: string, at = ''): string[] | undefined {
  const paths = linesField(fields, key, PATHS, at)?.map((path) => path.replace(/(?<=[^/])\/+$|^\.\/(?=.)/g, ''));
  for (const [index, path] of (paths ?? []).entries()) {
    const problem = path === '.' ? undefined : pathProblem(path);
    if (problem !== undefined) throw invalid(`${at}/${key}/${index}`, problem);
  }
  return paths;
}
