import type { Check, Finding } from './finding.js';
import { installLine } from './install-line.js';
import { quoteOutput } from './quote-output.js';
import { findVersion } from './version.js';

const TIMEOUT_MS = 5_000;

export const checkGit: Check = async ({ probe, env }) => {
  const problem = (text: string, fix: string): Finding[] => [{ topic: 'git', status: 'problem', text, fix }];
  const program = await probe.find('git');
  if (!program) return problem('not found; jobs need it', await installLine(probe, 'git'));
  const result = await probe.run(program, ['--version'], TIMEOUT_MS);
  const version = result.type === 'exited' && result.code === 0 ? findVersion(result.stdout) : undefined;
  if (version) return [{ topic: 'git', status: 'ok', text: version }];
  const said = result.type === 'exited' ? ` and said ${quoteOutput(result.stderr || result.stdout, env)}` : '';
  return problem(`${program} --version told no version${said}`, 'repair git until `git --version` works');
};
