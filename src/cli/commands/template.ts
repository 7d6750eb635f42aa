import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CHECKPOINT_EXIT_CODE } from '../../contracts/bridge/bridge-file-names.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { nearest } from '../../core/kernel/edit-distance.js';
import { createScrub } from '../../engine/scrub.js';
import { homeFolder } from '../../settings/home.js';
import { environmentSecrets } from '../../system/environment-secrets.js';
import { type Applied, applyTemplate } from '../../template/apply/apply-template.js';
import {
  type Checkpointed,
  type CreatedTemplate,
  createTemplate,
  type PhaseReport,
} from '../../template/generate/create-template.js';
import { STEPS } from '../../template/generate/steps.js';
import type { Parsed, RunCommand } from '../command.js';
import { counted } from '../grouped-number.js';
import type { Io } from '../io.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const WARNINGS_SHOWN = 10;

export const runTemplateCreate: RunCommand = async (parsed, io) => {
  const { values } = parsed;
  const resume = values.resume === true;
  const dryRun = values['dry-run'] === true;
  if (resume && dryRun)
    throw new BatonError('USAGE', '--dry-run looks at the project alone, so --resume has no meaning');
  const given = {
    project: absolute(parsed, 'path', io),
    name: textOption(parsed, 'name'),
    output: absolute(parsed, 'output', io),
  };
  if (!resume && given.project === undefined) throw new BatonError('USAGE', 'name the project with --path');
  const made = await createTemplate({
    ...given,
    dir: given.project ?? io.cwd,
    defaultOutput: (name) => path.join(templatesFolder(io), name),
    resume,
    dryRun,
    replace: values.replace === true,
    agents: values['no-agents'] !== true && !dryRun,
    scrub: createScrub(environmentSecrets(io.env)),
    told: (report) => io.err(`${progressLine(report)}\n`),
  });
  if ('checkpoint' in made) return waitForAgent(made, parsed, io);
  io.out(values.json ? `${printableJson(made)}\n` : report(made, dryRun));
  return 0;
};

function absolute(parsed: Parsed, option: string, io: Io): string | undefined {
  const given = textOption(parsed, option);
  if (given === '') throw new BatonError('USAGE', `--${option} needs a folder`);
  return given === undefined ? undefined : path.resolve(io.cwd, given);
}

function templatesFolder(io: Io): string {
  return path.join(homeFolder(io), 'templates');
}

function progressLine({ phase, phase_name, by, summary }: PhaseReport): string {
  const who = by === 'heuristics' || by === 'agent' ? ` (${by})` : '';
  const name = phase_name.replaceAll('_', ' ').padEnd('agent recommendation'.length);
  return printable(`${phase}/${STEPS.length} ${name}  ${summary}${who}`);
}

/** The one place where a program of ours ends with 42. */
function waitForAgent({ checkpoint }: Checkpointed, parsed: Parsed, io: Io): number {
  const { dir, phase, phase_name, agent_name } = checkpoint;
  const folder = printable(shellWord(dir));
  io.err(`${phase}/${STEPS.length} ${phase_name.replaceAll('_', ' ')}  waits for ${agent_name}\n`);
  if (isUnderHandler(io)) return CHECKPOINT_EXIT_CODE;
  io.err(
    `  Answer it: baton bridge respond --dir ${folder}; then repeat the command with --resume\n` +
      `  Or all at once: baton bridge run --dir ${folder} --agent claude -- ${sameCommand(folder, parsed, io)}\n`,
  );
  return CHECKPOINT_EXIT_CODE;
}

/** A handler starts it in the project, so folders are named in full. */
function sameCommand(folder: string, parsed: Parsed, io: Io): string {
  const [name, output] = [textOption(parsed, 'name'), absolute(parsed, 'output', io)];
  return [
    `baton template create --path ${folder}`,
    ...(name === undefined ? [] : [`--name ${printable(shellWord(name))}`]),
    ...(output === undefined ? [] : [`--output ${printable(shellWord(output))}`]),
    ...(parsed.values.replace === true ? ['--replace'] : []),
  ].join(' ');
}

/** A bridge handler answers by itself. Every process of Baton carries a mark: run, deed and attempt; its are rounds. */
function isUnderHandler({ env }: Io): boolean {
  return env.BATON_HANDOFF?.split('/')[1]?.startsWith('round-') === true;
}

function report(made: CreatedTemplate, dryRun: boolean): string {
  const { name, output, files, agents, warnings } = made;
  const more = warnings.length - WARNINGS_SHOWN;
  const lines = [
    `${dryRun ? 'Would make' : 'Made'} the template ${name} in ${output}: ${counted(files, 'file')}, ${counted(agents.length, 'agent')}`,
    ...warnings.slice(0, WARNINGS_SHOWN).map((warning) => `  ${warning}`),
    ...(more > 0 ? [`  and ${more} more; --json lists them`] : []),
    ...(dryRun ? [] : [`Next: baton template apply ${applicable(made)} --to DIR --set project_name=…`]),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

/** By name where `apply` finds it so. */
function applicable({ name, output }: CreatedTemplate): string {
  return path.basename(output) === name && path.basename(path.dirname(output)) === 'templates' ? name : output;
}

export const runTemplateApply: RunCommand = async (parsed, io) => {
  const [wanted = ''] = parsed.positionals;
  const to = absolute(parsed, 'to', io);
  if (to === undefined) throw new BatonError('USAGE', 'name the folder of the new project with --to');
  const set = readValues(parsed.values.set);
  const applied = await applyTemplate({ folder: findTemplate(wanted, io), to, set });
  io.out(parsed.values.json ? `${printableJson(applied)}\n` : appliedReport(applied));
  return 0;
};

function readValues(given: Parsed['values'][string]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const pair of Array.isArray(given) ? given : []) {
    const at = pair.indexOf('=');
    if (at <= 0) throw new BatonError('USAGE', `--set takes KEY=VALUE, not ${JSON.stringify(pair)}`);
    const key = pair.slice(0, at);
    if (values.has(key)) throw new BatonError('USAGE', `--set ${key} is given twice`);
    values.set(key, pair.slice(at + 1));
  }
  return values;
}

/** A plain name is one in the home; what is not there, or is no plain name, is a path. */
function findTemplate(wanted: string, io: Io): string {
  const folder = templatesFolder(io);
  const isName = /^[\w.-]+$/.test(wanted) && wanted !== '.' && wanted !== '..';
  const places = [...(isName ? [path.join(folder, wanted)] : []), path.resolve(io.cwd, wanted)];
  const found = places.find((place) => existsSync(path.join(place, 'manifest.json')));
  if (found) return found;
  const suggestion = nearest(wanted, existsSync(folder) ? readdirSync(folder) : []);
  const offer = suggestion ? `; did you mean ${suggestion}?` : '';
  throw new BatonError('TEMPLATE_NOT_FOUND', `there is no template ${JSON.stringify(wanted)}${offer}`, { folder });
}

function appliedReport({ template, to, files, values }: Applied): string {
  const set = Object.entries(values).map(([name, value]) => `  ${name} = ${value}`);
  return `${[`Made ${to} from ${template}: ${counted(files, 'file')}`, ...set].map(printable).join('\n')}\n`;
}

function shellWord(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
