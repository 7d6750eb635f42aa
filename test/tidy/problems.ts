import path from 'node:path';
import { inspect } from './inspect.js';
import {
  BARRELS,
  FUNCTION_LINES_MAX,
  LINES_MAX,
  MAY_IMPORT,
  PURE,
  ROOTS,
  SYNCHRONOUS,
  WITHOUT_NODE,
} from './layers.js';

/** Words that say nothing about what a file is for. */
const EMPTY_NAMES = /(^|-)(utils?|helpers?|common|misc|manager|types)(\.|-|$)/;

/** Everything wrong with one file of src/, as sentences. `file` is relative to src/, with forward slashes. */
export function tidyProblems(file: string, text: string): string[] {
  const seen = inspect(file, text, FUNCTION_LINES_MAX);
  const [layer = ''] = file.split('/');
  return [
    ...nameProblems(file),
    ...(file.includes('/') ? layerProblems(file, layer, seen.imports) : rootProblems(file, seen.imports)),
    ...(PURE.includes(layer) ? seen.impure.map((use) => `${layer} is pure but uses ${use}`) : []),
    ...(WITHOUT_NODE.includes(layer)
      ? seen.impure.filter((use) => NODE_GLOBALS.has(use)).map((use) => `uses Node's ${use}`)
      : []),
    ...(SYNCHRONOUS.includes(layer) && seen.asynchronous ? [`${layer} decides at once but is asynchronous`] : []),
    ...(seen.lines > LINES_MAX ? [`has ${seen.lines} lines: split it by responsibility`] : []),
    ...seen.longFunctions.map(({ name, lines }) => `${name} has ${lines} lines: split it`),
    ...(seen.onlyReexports && !BARRELS.includes(file) ? ['only re-exports: import from where it is defined'] : []),
  ];
}

const NODE_GLOBALS = new Set(['process', 'Buffer', 'setImmediate']);

function nameProblems(file: string): string[] {
  const name = path.posix.basename(file);
  const problems: string[] = [];
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(ts|tsx)$/.test(name)) problems.push('is not named in kebab-case');
  if (EMPTY_NAMES.test(name)) problems.push('has a name that explains nothing');
  return problems;
}

function rootProblems(file: string, imports: readonly string[]): string[] {
  if (!ROOTS.includes(file)) return [`stands directly under src/, where only ${ROOTS.join(', ')} do`];
  return imports.filter((module) => module === '(computed)').map(() => 'imports a computed module');
}

function layerProblems(file: string, layer: string, imports: readonly string[]): string[] {
  const allowed = MAY_IMPORT[layer];
  if (!allowed) return [`lies in src/${layer}, which is no layer`];
  const isTest = file.endsWith('.test.ts');
  return imports.flatMap((module) => {
    if (module === '(computed)') return ['imports a computed module'];
    if (!module.startsWith('.')) return isTest ? [] : outsideProblem(layer, module);
    const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), module));
    if (target.startsWith('../')) return isTest ? [] : [`imports ${module}, outside src/`];
    const [other = ''] = target.split('/');
    if (!target.includes('/')) return [`imports ${module}: only main.ts and index.ts stand above the layers`];
    return other === layer || allowed.includes(other) ? [] : [`imports ${module}: ${layer} may not know ${other}`];
  });
}

function outsideProblem(layer: string, module: string): string[] {
  if (!WITHOUT_NODE.includes(layer)) return [];
  if (layer === 'console' && !module.startsWith('node:')) return [];
  return [`imports ${module}: ${layer} runs without Node and without packages`];
}
