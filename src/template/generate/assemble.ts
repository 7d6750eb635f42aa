import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import type { AgentDefinition } from '../agents/agent-definition.js';
import { inUse, isFree, makeFolder } from '../apply/new-folder.js';
import { agentFile, agentFileNames } from './agent-file.js';
import { contentHash, keepReason } from './earlier-template.js';
import type { Manifest } from './manifest.js';
import type { Templater } from './placeholders.js';
import type { TemplateSettings } from './settings.js';
import { readSourceFile } from './source-file.js';
import { templateReadme } from './template-readme.js';
import { toProblem, validateTemplate } from './validate-template.js';

/** What a template is called, of which folder it is made, and where it is to lie. */
export type Places = {
  name: string;
  project: string;
  output: string;
  /** Whatever template is there may go. */
  replace?: boolean;
};

export type TemplateParts = {
  manifest: Manifest;
  settings: TemplateSettings;
  agents: readonly AgentDefinition[];
  /** Files of the project that the template consists of. */
  paths: readonly string[];
  root: string;
  templater: Templater;
};

const FILE_BYTES_MAX = 1024 * 1024;

/** Whether the template may be written there, before anything is done for it. */
export function checkOutput({ output, name, project, replace = false }: Places): 'free' | 'earlier' {
  let free: boolean;
  try {
    free = isFree(output);
    accessSync(nearestFolder(output), constants.W_OK | constants.X_OK);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new BatonError('FILE_UNWRITABLE', `${output} cannot be made or changed (${code})`, { file: output });
  }
  if (free) return 'free';
  const reason = keepReason(output, { name, project }, replace);
  if (reason !== undefined) throw inUse(output, reason);
  return 'earlier';
}

/** Where the template, or the folders on the way to it, would be made. */
function nearestFolder(output: string): string {
  const parent = path.dirname(output);
  return existsSync(parent) || parent === output ? parent : nearestFolder(parent);
}

/** Phase 8: the template is there as a whole and checked, or it is not there. */
export async function assembleTemplate(places: Places, parts: TemplateParts): Promise<void> {
  const replaces = checkOutput(places) === 'earlier';
  await makeFolder(places.output, (staging) => writeTemplate(staging, parts), { replaces });
}

async function writeTemplate(folder: string, parts: TemplateParts): Promise<void> {
  const { manifest, settings, agents, paths, root, templater } = parts;
  const names = agentFileNames(agents);
  await mkdir(path.join(folder, 'agents'));
  await mkdir(path.join(folder, 'templates'));
  await writeJson(path.join(folder, 'settings.json'), settings);
  await writeFile(path.join(folder, 'README.md'), templateReadme(manifest, settings, names));
  for (const [index, agent] of agents.entries()) {
    const name = names[index] ?? '';
    await writeFile(path.join(folder, 'agents', name), agentFile(agent, name), { flag: 'wx' });
  }
  for (const file of paths) await writePart(path.join(folder, 'templates'), file, parts);
  await writeManifest(path.join(folder, 'manifest.json'), manifest);
  const findings = await validateTemplate(folder, { root, paths, findName: templater.findName });
  if (findings.length > 0) throw toProblem(findings);
}

/** Last, since it says what the rest is like. */
async function writeManifest(file: string, manifest: Manifest): Promise<void> {
  await writeJson(file, manifest);
  const whole = { ...manifest, content_sha256: contentHash(path.dirname(file)) };
  await writeFile(file, asJson(whole));
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
  await writeFile(file, asJson(value), { flag: 'wx' });
}

function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
