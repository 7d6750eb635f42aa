import path from 'node:path';
import type { Wanted } from '../../core/kernel/effect.js';
import { type Fields, fields, list, text } from '../cli/fields.js';

const CHANGES: ReadonlySet<unknown> = new Set(['edit', 'delete', 'move']);

/** What an agent asks for: a command, a file it would change, or anything else by the name of its tool. */
export function wantedIn(call: Fields, workspace: string): Pick<Wanted, 'kind' | 'what' | 'cwd'> {
  const { command, cwd, workdir } = fields(call.rawInput);
  const where = path.resolve(workspace, text(cwd) || text(workdir));
  const line = Array.isArray(command) ? command.map(String).join(' ') : text(command);
  if (line !== '') return { kind: 'exec', what: line, cwd: where };
  const files = filesOf(call).map((file) => path.resolve(where, file));
  const [file] = files;
  const isOne = new Set(files).size === 1 || files.every((one) => one.startsWith(`${workspace}${path.sep}`));
  if (CHANGES.has(call.kind) && file !== undefined && isOne) return { kind: 'patch', what: file, cwd: where };
  // Never the title alone: one that reads like a harmless command is not that command.
  const what = `tool-${text(call.kind) || 'other'} ${JSON.stringify([text(call.title), ...files, call.rawInput])}`;
  return { kind: 'exec', what, cwd: where };
}

/** The option that says so for this once; undefined when the agent offers none. */
export function optionFor(options: unknown, answer: 'allow' | 'reject'): string | undefined {
  const kinds = answer === 'allow' ? ['allow_once'] : ['reject_once', 'reject_always'];
  const offered = list(options).map(fields);
  const found = kinds.flatMap((kind) => offered.filter((option) => option.kind === kind))[0];
  return typeof found?.optionId === 'string' ? found.optionId : undefined;
}

/** Wherever an agent names them. */
function filesOf({ locations, content, rawInput }: Fields): string[] {
  const input = fields(rawInput);
  const named = [input.filepath, input.file_path, input.filePath, input.path];
  const shown = [...list(locations), ...list(content)].map((one) => fields(one).path);
  return [...shown, ...named].map(text).filter((file) => file !== '');
}
