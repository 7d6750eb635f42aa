import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BatonError, isBatonError } from '../../contracts/shared/errors.js';
import { fillTemplate, targetPath } from '../apply/fill-template.js';
import { readTemplate, type StoredTemplate } from '../apply/read-template.js';
import { defaultsOf, fits } from '../apply/values.js';
import { readAgentFile } from './agent-file.js';
import { LITERAL_MARKER, MARKER_BEGIN } from './marker.js';
import { PROJECT_NAME, type Templater } from './placeholders.js';
import { lineAt, renderTemplate, type Values } from './render-template.js';
import { decode } from './source-file.js';

/** Something that is not as it should be in a template; without a line it is about the whole file. */
export type Finding = { file: string; line: number | null; problem: string };

/** What the template was made of. */
export type Origin = { root: string; paths: readonly string[]; findName: Templater['findName'] };

/** Names that no project has by chance; the second is for the one that does. */
const OTHER_NAMES = ['Quartz Vole', 'Umber Lynx'];
const OTHER_VALUES: Values = { description: 'Quite another thing', author: 'Quill Vantage', version: '7.8.9' };
const FINDINGS_MAX = 100;
const NOT_THE_NAME = '\u0001';

/** Phase 9: a template is checked by being used. */
export async function validateTemplate(folder: string, origin: Origin): Promise<readonly Finding[]> {
  let template: StoredTemplate;
  try {
    template = readTemplate(folder);
  } catch (failure) {
    return [findingOf(failure, 'manifest.json')];
  }
  const findings = [
    ...agentFindings(folder),
    ...(await defaultFindings(template, origin)),
    ...(await otherFindings(template, origin)),
  ];
  return findings.slice(0, FINDINGS_MAX);
}

export function toProblem(findings: readonly Finding[]): BatonError {
  const [first] = findings;
  const place = first?.line ? `${first.file}, line ${first.line}` : first?.file;
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return new BatonError('TEMPLATE_INVALID', `${place}: ${first?.problem}${more}`, { findings });
}

function agentFindings(folder: string): Finding[] {
  const names = readdirSync(path.join(folder, 'agents')).sort();
  return names.flatMap((name) => {
    const file = `agents/${name}`;
    try {
      readAgentFile(readFileSync(path.join(folder, file), 'utf8'), file);
      return [];
    } catch (failure) {
      return [findingOf(failure, file)];
    }
  });
}

/** With its defaults it gives back what it was made of, byte for byte, and nothing else. */
async function defaultFindings(template: StoredTemplate, { root, paths }: Origin): Promise<Finding[]> {
  const unfit = template.placeholders.filter((placeholder) => !fits(placeholder, placeholder.default));
  const findings = unfit.map(({ name }) => whole('manifest.json', `the default of ${name} does not fit its pattern`));
  return inTemporaryFolder(async (target) => {
    const written = await fill(template, defaultsOf(template.placeholders), target, findings);
    const wanted = new Set(paths);
    for (const file of written) {
      if (!wanted.delete(file)) findings.push(whole(file, 'comes out of the template but was not chosen'));
      else findings.push(...difference(file, path.join(root, file), path.join(target, file)));
    }
    if (written.length > 0) for (const file of wanted) findings.push(whole(file, 'is missing in the template'));
    return findings;
  });
}

function difference(file: string, source: string, made: string): Finding[] {
  if (!existsSync(source)) return [whole(file, 'is not in the project any more')];
  const [before, after] = [readFileSync(source), readFileSync(made)];
  if (before.equals(after)) return [];
  const at = before.findIndex((byte, index) => byte !== after[index]);
  const line = lineAt(before.toString('latin1'), at < 0 ? before.length : at);
  return [{ file, line, problem: 'does not come out of the template as it is in the project' }];
}

/** With other values nothing is left to be filled, and where the name was replaced the old one is gone. */
async function otherFindings(template: StoredTemplate, { findName }: Origin): Promise<Finding[]> {
  const values = otherValues(template);
  const findings: Finding[] = [];
  await inTemporaryFolder((target) => fill(template, values, target, findings));
  for (const { path: name } of template.files) {
    const file = `templates/${name}`;
    const text = decode(readFileSync(path.join(template.folder, file)));
    findings.push(...leftovers(name, file, '', values, findName).map((each) => ({ ...each, line: null })));
    if (text !== undefined) findings.push(...leftovers(text, file, originalPath(template, name), values, findName));
  }
  return findings;
}

function leftovers(text: string, file: string, kind: string, values: Values, findName: Origin['findName']): Finding[] {
  let filled: string;
  try {
    filled = renderTemplate(text.replaceAll(LITERAL_MARKER, NOT_THE_NAME), values, file);
  } catch {
    return []; // Told when the template was filled.
  }
  const names = findName(filled, kind).map(({ from }) => ({ from, problem: 'still holds the name of the project' }));
  const marker = filled.indexOf(MARKER_BEGIN);
  const markers = marker < 0 ? [] : [{ from: marker, problem: 'still holds a placeholder after it was filled' }];
  return [...names, ...markers].map(({ from, problem }) => ({ file, line: lineAt(filled, from), problem }));
}

function originalPath(template: StoredTemplate, name: string): string {
  try {
    return targetPath(name, defaultsOf(template.placeholders), name);
  } catch {
    return name;
  }
}

function otherValues({ placeholders }: StoredTemplate): Values {
  const defaults = defaultsOf(placeholders);
  const [first = '', second = ''] = OTHER_NAMES;
  const old = (defaults[PROJECT_NAME] ?? '').toLowerCase().replace(/[^a-z]/g, '');
  const name = first.toLowerCase().replace(' ', '').includes(old) ? second : first;
  const known = placeholders.filter((placeholder) => placeholder.name in OTHER_VALUES).map((each) => each.name);
  const other = Object.fromEntries(known.map((each) => [each, OTHER_VALUES[each] ?? '']));
  return { ...defaults, ...other, ...(PROJECT_NAME in defaults && { [PROJECT_NAME]: name }) };
}

async function fill(template: StoredTemplate, values: Values, target: string, findings: Finding[]): Promise<string[]> {
  try {
    return await fillTemplate(template, values, target);
  } catch (failure) {
    findings.push(findingOf(failure, 'templates'));
    return [];
  }
}

function findingOf(failure: unknown, place: string): Finding {
  if (!isBatonError(failure)) throw failure;
  const { file, line } = failure.details ?? {};
  return {
    file: typeof file === 'string' ? file : place,
    line: typeof line === 'number' ? line : null,
    problem: failure.message,
  };
}

function whole(file: string, problem: string): Finding {
  return { file, line: null, problem };
}

async function inTemporaryFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-template-'));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
