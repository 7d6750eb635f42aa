import path from 'node:path';
import { project } from '../../contracts/baton/project.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { expiryOf, RULE_DAYS_DEFAULT, type Ruling } from '../../core/policy/rule.js';
import type { ScopedRule } from '../../core/system/system-messages.js';
import type { Desk } from '../../engine/desk.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { parseMinutes } from '../job/amounts.js';
import { textOption } from '../option-values.js';
import { ruleFolder, ruleRepository } from './rule-scope.js';

const DECISIONS: readonly string[] = ['allow', 'ask', 'deny'];
const MINUTES_OF_A_DAY = 1_440;
const DAYS_MAX = 3_650;

/** A rule as it was typed, checked like one in baton.json. */
export async function readRule(desk: Desk, parsed: Parsed, io: Io): Promise<ScopedRule> {
  const [decision = '', line] = parsed.positionals;
  if (!DECISIONS.includes(decision)) {
    throw new BatonError('USAGE', `a rule is allow, ask or deny, not ${JSON.stringify(decision)}`);
  }
  const repo = ruleRepository(parsed, io);
  const folder = ruleFolder(parsed, io, repo);
  const [host, agent] = [textOption(parsed, 'host'), textOption(parsed, 'agent')];
  if (line === undefined && folder === undefined && host === undefined) {
    throw new BatonError('USAGE', `what is it about? baton rule add ${decision} "CMD", or --folder, or --host`);
  }
  const days = daysOf(parsed, decision as Ruling);
  const rule: ScopedRule = {
    decision: decision as Ruling,
    ...(line !== undefined && { argv: await beginningOf(desk, line, repo) }),
    ...(folder !== undefined && { folder: path.relative(repo, folder) || '.' }),
    ...(host !== undefined && { host }),
    ...(agent !== undefined && { agent }),
    repo,
    ...(days !== undefined && { expires_at: expiryOf(desk.clock.nowMs(), days) }),
    author: io.env.USER ?? 'cli',
  };
  parseContract(project, { rules: [rule] });
  return rule;
}

/** How a command begins, word by word, as the shell would take it. */
async function beginningOf(desk: Desk, line: string, repo: string): Promise<readonly string[]> {
  const reading = await desk.rules.read(line, repo);
  if (!reading.understood) throw new BatonError('USAGE', `the command is not clear: ${reading.reason}`);
  const [command, ...more] = reading.commands;
  const plain = command && more.length === 0 && command.redirects.length === 0 && command.sets.length === 0;
  if (plain && command.openFrom === null) return command.argv;
  throw new BatonError('USAGE', 'a rule names the beginning of one command: a program and words, nothing around them');
}

/** What is allowed ends by itself; what is forbidden stays so. */
function daysOf(parsed: Parsed, decision: Ruling): number | undefined {
  const said = textOption(parsed, 'for') ?? (decision === 'allow' ? `${RULE_DAYS_DEFAULT}d` : 'none');
  if (said === 'none') return undefined;
  const days = parseMinutes(said, 'for') / MINUTES_OF_A_DAY;
  if (days > 0 && days <= DAYS_MAX) return days;
  throw new BatonError('USAGE', `--for takes a time of at most ${DAYS_MAX}d, or none, not ${JSON.stringify(said)}`);
}
