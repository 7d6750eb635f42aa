import type { JobOrderBody } from '../../contracts/generated/types/job-order.js';

export type JobForm = {
  prompt: string;
  repo: string;
  agent: string;
  supervisor: string;
  checks: string;
  cost: string;
  minutes: string;
  approve: boolean;
};

export const EMPTY: JobForm = {
  ...{ prompt: '', repo: '', agent: '', supervisor: '', checks: '', cost: '', minutes: '' },
  approve: true,
};

export function problemIn({ prompt, repo, cost, minutes }: JobForm): string | null {
  if (prompt.trim() === '') return 'Say what is to be done.';
  if (repo !== '' && !repo.startsWith('/')) return 'The repository is named by its absolute path.';
  for (const limit of [cost, minutes]) if (limit !== '' && !(Number(limit) > 0)) return 'A limit is a number above 0.';
  return null;
}

export function orderOf(form: JobForm): JobOrderBody {
  const { prompt, repo, agent, supervisor, cost, minutes, approve } = form;
  const checks = checksIn(form);
  return {
    ...{ prompt, approve, activate: true },
    ...(repo !== '' && { repo }),
    ...(agent !== '' && { agent }),
    ...(supervisor !== '' && { supervisor }),
    ...(checks.length > 0 && { checks }),
    ...(cost !== '' && { cost_usd: Number(cost) }),
    ...(minutes !== '' && { time_minutes: Number(minutes) }),
  } as JobOrderBody;
}

/** The same on the command line, quoted so that a shell changes nothing. */
export function commandOf(form: JobForm): string {
  const { prompt, repo, agent, supervisor, cost, minutes, approve } = form;
  const said: readonly (readonly [string, string])[] = [
    ['--repo', repo],
    ['--agent', agent],
    ['--supervisor', supervisor],
    ...checksIn(form).map((check) => ['--check', check] as const),
    ['--max-cost', cost],
    ['--max-time', minutes === '' ? '' : `${minutes}m`],
  ];
  const flags = said.flatMap(([name, value]) => (value === '' ? [] : [name, quoted(value)]));
  return ['baton run', quoted(prompt || '…'), ...flags, ...(approve ? ['--approve'] : [])].join(' ');
}

function checksIn({ checks }: JobForm): string[] {
  return checks
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function quoted(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
