import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BatonError, isBatonError } from '../../contracts/shared/errors.js';
import type { AgentDefinition } from '../agents/agent-definition.js';
import { inUse, isFree, makeFolder } from '../apply/new-folder.js';
import { readHead } from '../apply/read-template.js';
import { agentFile, agentFileNames } from './agent-file.js';
import type { Manifest } from './manifest.js';
import type { Templater } from './placeholders.js';
import type { TemplateSettings } from './settings.js';
import { readSourceFile } from './source-file.js';
import { templateReadme } from './template-readme.js';
import { toProblem, validateTemplate } from './validate-template.js';

export type TemplateParts = {
  manifest: Manifest;
  settings: TemplateSettings;
  agents: readonly AgentDefinition[];
  /** Files of the project that the template consists of. */
  paths: readonly string[];
  root: string;
  templater: Templater;
};

/** A template consists of these and nothing else: a folder with more in it is somebody's. */
const ENTRIES = new Set(['manifest.json', 'settings.json', 'README.md', 'templates', 'agents']);
const FILE_BYTES_MAX = 1024 * 1024;

/** Whether the template may be written there, before anything is done for it. */
export function checkOutput(output: string, name: string): 'free' | 'earlier' {
  let free: boolean;
  try {
    free = isFree(output);
    accessSync(nearestFolder(output), constants.W_OK | constants.X_OK);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new BatonError('FILE_UNWRITABLE', `${output} cannot be made or changed (${code})`, { file: output });
  }
  if (free) return 'free';
  if (isEarlierVersion(output, name)) return 'earlier';
  throw inUse(output, `is there already and is not an earlier version of the template ${name}`);
}

/** Where the template, or the folders on the way to it, would be made. */
function nearestFolder(output: string): string {
  const parent = path.dirname(output);
  return existsSync(parent) || parent === output ? parent : nearestFolder(parent);
}

function isEarlierVersion(output: string, name: string): boolean {
  try {
    return readHead(output).name === name && readdirSync(output).every((entry) => ENTRIES.has(entry));
  } catch (failure) {
    if (isBatonError(failure) || (failure as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw failure;
  }
}

/** Phase 8: the template is there as a whole and checked, or it is not there. */
export async function assembleTemplate(output: string, parts: TemplateParts): Promise<void> {
  const replaces = checkOutput(output, parts.manifest.name) === 'earlier';
  await makeFolder(output, (staging) => writeTemplate(staging, parts), { replaces });
}

async function writeTemplate(folder: string, parts: TemplateParts): Promise<void> {
  const { manifest, settings, agents, paths, root, templater } = parts;
  const names = agentFileNames(agents);
  await mkdir(path.join(folder, 'agents'));
  await mkdir(path.join(folder, 'templates'));
  await writeJson(path.join(folder, 'manifest.json'), manifest);
  await writeJson(path.join(folder, 'settings.json'), settings);
  await writeFile(path.join(folder, 'README.md'), templateReadme(manifest, settings, names));
  for (const [index, agent] of agents.entries()) {
    const name = names[index] ?? '';
    await writeFile(path.join(folder, 'agents', name), agentFile(agent, name), { flag: 'wx' });
  }
  for (const file of paths) await writePart(path.join(folder, 'templates'), file, parts);
  const findings = await validateTemplate(folder, { root, paths, findName: templater.findName });
  if (findings.length > 0) throw toProblem(findings);
}

async function writePart(folder: string, file: string, { root, templater }: TemplateParts): Promise<void> {
  const source = readSourceFile(root, file, FILE_BYTES_MAX);
  if (!source) throw new BatonError('INPUT_UNREADABLE', `${file} of the project cannot be read any more`, { file });
  const to = path.join(folder, templater.path(file));
  try {
    await mkdir(path.dirname(to), { recursive: true });
    await writeFile(to, source.text === undefined ? source.bytes : templater.text(source.text, file), {
      flag: 'wx',
      mode: source.executable ? 0o755 : 0o644,
    });
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new BatonError('FILE_UNWRITABLE', `${to} cannot be written (${code})`, { file: to });
  }
}

async function writeJson(file: string, value: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`, { flag: 'wx' });
}
