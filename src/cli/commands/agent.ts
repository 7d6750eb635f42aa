import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { agent as agentContract } from '../../contracts/agent/agent.js';
import type { AgentRegistration } from '../../contracts/generated/types/agent.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { readJson } from '../../contracts/shared/read-json.js';
import { splitWords } from '../../settings/split-words.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const FIELDS = {
  adapter: 'adapter',
  description: 'description',
  bin: 'bin',
  model: 'model',
  'base-url': 'base_url',
  login: 'login',
  url: 'url',
  parent: 'parent',
  sandbox: 'sandbox',
  wire: 'wire',
} as const;

const LOGINS = { key: 'with a key', own: 'logged in' } as const;

export const runAgentRegister: DeskCommand = async (parsed, io, open) => {
  const registration = parseContract(agentContract, await readRegistration(parsed, io)) as AgentRegistration;
  return atDesk(open, {}, async (desk) => {
    await desk.registerAgent(registration, io.env.USER ?? 'cli');
    if (parsed.values.json) io.out(`${printableJson({ ...registration, status: 'registered' })}\n`);
    else
      io.err(
        `${printable(registration.id)} is registered. Try it: baton run "…" --agent ${printable(registration.id)}\n`,
      );
    return 0;
  });
};

export const runAgentList: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const registered = (await desk.agents()).map((one) => ({ ...one, status: 'registered' }));
    const builtIn = (await desk.readyAgents()).filter(({ id }) => !registered.some((one) => one.id === id));
    const found = builtIn.map(({ id, login }) => ({ id, adapter: id, login, description: `found, ${LOGINS[login]}` }));
    const items = [...registered, ...found.map((one) => ({ ...one, status: 'ready' }))];
    if (parsed.values.json) io.out(`${printableJson({ items, next: null })}\n`);
    else {
      for (const { id, adapter, description } of items) {
        io.out(`${printable(`${id.padEnd(20)} ${adapter.padEnd(10)} ${description ?? ''}`).trimEnd()}\n`);
      }
      if (items.length === 0)
        io.err('No agents. Register one: baton agent register ID --adapter command --command "…"\n');
    }
    return 0;
  });

export const runAgentShow: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const [id = ''] = parsed.positionals;
    const found = (await desk.agents()).find((one) => one.id === id);
    if (!found) throw new BatonError('AGENT_NOT_FOUND', `there is no agent ${JSON.stringify(id)}`, { id });
    io.out(`${printableJson({ ...found, status: 'registered' })}\n`);
    return 0;
  });

async function readRegistration(parsed: Parsed, io: Io): Promise<unknown> {
  const file = textOption(parsed, 'file');
  const [id] = parsed.positionals;
  const adapter = textOption(parsed, 'adapter');
  // `--file` of a scripted agent is its script; otherwise it is the whole registration.
  if (file !== undefined && adapter === undefined) return readFileOf(path.resolve(io.cwd, file));
  if (id === undefined) throw new BatonError('USAGE', 'what is the agent called? baton agent register ID --adapter A');
  const command = textOption(parsed, 'command');
  const fields = Object.entries(FIELDS).map(([option, field]) => [field, textOption(parsed, option)]);
  return {
    id,
    ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
    ...(command !== undefined && { command: resolved(splitWords(command, 'command'), io.cwd) }),
    ...(file !== undefined && { file: path.resolve(io.cwd, file) }),
    ...(parsed.values['header-env'] !== undefined && { header_env: headersOf(parsed.values['header-env']) }),
    ...(parsed.values.env !== undefined && { env: parsed.values.env }),
    ...(parsed.values['allow-private'] === true && { allow_private: true }),
  };
}

/** Each `NAME=ENV`: the value itself is never typed, so it is never stored. */
function headersOf(given: Parsed['values'][string]): Record<string, string> {
  const pairs = (Array.isArray(given) ? given : []).map((pair) => {
    const [, name = '', variable = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (name === '') throw new BatonError('USAGE', `--header-env takes NAME=ENV, not ${JSON.stringify(pair)}`);
    return [name, variable];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** A program named by a path is meant as seen from here, not from the workspaces it will work in. */
function resolved([program = '', ...args]: readonly string[], cwd: string): string[] {
  return [program.includes('/') ? path.resolve(cwd, program) : program, ...args];
}

async function readFileOf(file: string): Promise<unknown> {
  const bytes = await readFile(file).catch((failure: NodeJS.ErrnoException) => {
    throw new BatonError('INPUT_UNREADABLE', `${file} cannot be read (${failure.code})`, { file });
  });
  const read = readJson(bytes);
  if ('denial' in read) throw new BatonError(read.denial.code, `${file}: ${read.denial.reason}`, { file });
  return read.value;
}
