import { isKnownSafe } from './known-safe.js';
import { allows, concerns, type Deed, hostFits } from './match-rule.js';
import { describeRule, type KnownRule, quoted, type Ruling } from './rule.js';
import type { ShellReading, SimpleCommand } from './shell-reading.js';
import { systemProgram } from './system-programs.js';

export type Line = {
  reading: ShellReading;
  rules: readonly KnownRule[];
  /** Root of the files that the agent may change; absolute, links resolved. */
  workspace: string;
  /**
   * `inside`: it runs in a sandbox that holds. `leaving`: it would run outside of it, where programs that only read can
   * read everything. `none`: nothing holds, so nothing is approved without a person.
   */
  guard: 'inside' | 'leaving' | 'none';
  /** Hosts it is known to reach. */
  hosts?: readonly string[];
};

export type Because =
  | { type: 'rule'; rule: KnownRule }
  | { type: 'known-safe'; name: string }
  | { type: 'not-understood'; what: string }
  | { type: 'writes'; target: string }
  | { type: 'sets'; name: string }
  | { type: 'host'; host: string }
  | { type: 'no-guard' }
  | { type: 'nothing-allows' };

/** `command`: which command of the line decides; null when it is the line as a whole. */
export type Judgement = { decision: Ruling; because: Because; command: number | null; reason: string };

/** May this line run without a person? Everything in it must be allowed; deny is stronger than ask, ask than allow. */
export function judgeLine(line: Line): Judgement {
  const { reading, guard } = line;
  const judged = reading.commands.flatMap((command, index) => judgeCommand(line, command, index));
  const denied = judged.find(({ decision }) => decision === 'deny');
  if (denied) return denied;
  if (!reading.understood) {
    const reason = `it cannot be known beforehand what this runs: ${reading.reason}`;
    return { decision: 'ask', because: { type: 'not-understood', what: reading.what }, command: null, reason };
  }
  const asked = judged.find(({ decision }) => decision === 'ask');
  const [first] = judged;
  if (!first || asked) return asked ?? nothingAllows(null, 'it names no command');
  const host = unreached(line, judged);
  if (host !== undefined) {
    return {
      decision: 'ask',
      because: { type: 'host', host },
      command: null,
      reason: `no rule allows to reach ${host}`,
    };
  }
  if (guard !== 'none') return judged.find(({ because }) => because.type === 'rule') ?? first;
  const reason = 'no sandbox holds here, so a person decides';
  return { decision: 'ask', because: { type: 'no-guard' }, command: null, reason };
}

function judgeCommand(line: Line, command: SimpleCommand, index: number): Judgement[] {
  const { workspace, hosts = [] } = line;
  const deeds = (hosts.length > 0 ? hosts : [null]).map((host): Deed => ({ command, host, workspace }));
  return deeds.map((deed) => judgeDeed(line, deed, index));
}

function judgeDeed(line: Line, deed: Deed, index: number): Judgement {
  const { command } = deed;
  const by = (rule: KnownRule, decision: Ruling, reason: string): Judgement => ({
    ...{ decision, reason, command: index },
    because: { type: 'rule', rule },
  });
  const strict = line.rules.filter(({ decision }) => decision !== 'allow');
  const fits = strict.map((rule) => ({ rule, fit: concerns(rule, deed) }));
  const denying = fits.find(({ rule, fit }) => rule.decision === 'deny' && fit === 'yes');
  if (denying) return by(denying.rule, 'deny', `rule ${denying.rule.id} says: ${describeRule(denying.rule)}`);
  const asking = fits.find(({ fit }) => fit === 'yes');
  if (asking) return by(asking.rule, 'ask', `rule ${asking.rule.id} says: ${describeRule(asking.rule)}`);
  const perhaps = fits.find(({ fit }) => fit === 'maybe');
  if (perhaps) return by(perhaps.rule, 'ask', `rule ${perhaps.rule.id} may mean this: ${describeRule(perhaps.rule)}`);
  return besidesTheProgram(command, index) ?? allowed(line, deed, index);
}

/** What no allow covers, whatever program it is: files that are overwritten, and variables that change what runs. */
function besidesTheProgram({ redirects, sets }: SimpleCommand, index: number): Judgement | undefined {
  const opened = redirects.find(({ kind, target }) => (kind === 'write' ? target !== '/dev/null' : isNetwork(target)));
  if (opened) {
    const { target } = opened;
    const reason = isNetwork(target) ? `it reaches the network by ${target}` : `it writes to ${quoted(target)}`;
    return { decision: 'ask', because: { type: 'writes', target }, command: index, reason };
  }
  const name = sets.find((one) => !HARMLESS_VARIABLES.test(one));
  if (name === undefined) return undefined;
  const reason = `it sets ${name}, which may change what runs`;
  return { decision: 'ask', because: { type: 'sets', name }, command: index, reason };
}

const HARMLESS_VARIABLES = /^(?:LANG|LC_[A-Z]+|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|TERM|COLUMNS|LINES|NODE_ENV)$/;

/** Some shells take these names for connections. */
function isNetwork(target: string): boolean {
  return /^\/dev\/(?:tcp|udp)(?:\/|$)/.test(target.replace(/\/+/g, '/'));
}

function allowed(line: Line, deed: Deed, index: number): Judgement {
  const { command, workspace } = deed;
  const rule = line.rules.find((one) => one.decision === 'allow' && allows(one, deed));
  if (rule) {
    const reason = `rule ${rule.id} says: ${describeRule(rule)}`;
    return { decision: 'allow', because: { type: 'rule', rule }, command: index, reason };
  }
  const safe = command.wrapper ? wrapping(command, workspace) : isKnownSafe(command, { workspace, guard: line.guard });
  if (safe === undefined) return nothingAllows(index, `no rule allows ${shown(command)}`);
  const reason = command.wrapper ? `${safe} only starts what follows` : `${safe} only reads`;
  return { decision: 'allow', because: { type: 'known-safe', name: safe }, command: index, reason };
}

/** What it starts stands behind it in the list and is judged there. */
function wrapping({ argv }: SimpleCommand, workspace: string): string | undefined {
  return systemProgram(argv[0] ?? '', workspace);
}

/** A rule that allows a command allows it to go where it goes; programs that only read go nowhere. */
function unreached({ hosts = [], rules }: Line, judged: readonly Judgement[]): string | undefined {
  if (judged.some(({ because }) => because.type === 'rule')) return undefined;
  return hosts.find((host) => !mayReach(rules, host));
}

function mayReach(rules: readonly KnownRule[], host: string): boolean {
  return rules.some(
    (rule) =>
      rule.decision === 'allow' &&
      rule.argv === undefined &&
      rule.folder === undefined &&
      rule.host !== undefined &&
      hostFits(rule.host, host),
  );
}

function nothingAllows(command: number | null, reason: string): Judgement {
  return { decision: 'ask', because: { type: 'nothing-allows' }, command, reason };
}

const SHOWN_WORDS_MAX = 3;

function shown({ argv }: SimpleCommand): string {
  const words = argv.slice(0, SHOWN_WORDS_MAX).map(quoted).join(' ');
  return argv.length > SHOWN_WORDS_MAX ? `${words} …` : words || 'a redirection alone';
}
