import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { judgeLine } from '../core/policy/judge-line.js';
import { outsideReason } from '../core/session/asked-words.js';
import type { CallFacts } from '../core/session/session-messages.js';
import { findProgram } from '../sandbox/find-program.js';
import type { ExecPlan, Policy } from './call-plan.js';
import type { SessionHands } from './session-hands.js';
import { commandTitle, shownTitle } from './shown-title.js';
import type { WantedExec } from './wanted-call.js';

/** A call that could be done; `shown` are the fields that clients see. */
export type Weighed<Plan> = { plan: Plan; shown: object; title: string; facts: CallFacts };
/** What the model is told instead. */
export type NotDone = { words: string };

const REASON_CHARS_MAX = 500;

/** What is known about a command before it runs: what rules say, what holds it, whether it is known to only read. */
export async function judgeExec(
  hands: SessionHands,
  wanted: WantedExec,
  policy: Policy,
): Promise<Weighed<ExecPlan> | NotDone> {
  const folder = await folderOf(policy.cwd, wanted.workdir);
  if ('words' in folder) return folder;
  const { cwd, workspace } = folder;
  const argv = typeof wanted.command === 'string' ? shellLine(hands, wanted.command) : wanted.command;
  const isFree = policy.sandbox.mode === 'danger-full-access';
  const { holds: isHeld } = await hands.confinements.holding();
  const holds = isHeld && !isFree;
  const wantsOutside = wanted.outside && !isFree;
  const reading = (await hands.shell()).readArgv(argv, cwd);
  const guard = holds && !wantsOutside ? 'inside' : 'leaving';
  const rules = await hands.rulesFor(policy.cwd, policy.agent);
  const judged = judgeLine({ reading, rules, workspace, guard });
  // Without any rule, all that can allow a line is that everything in it only reads.
  const isKnownSafe = judgeLine({ reading, rules: [], workspace, guard }).decision === 'allow';
  const rule = judged.because.type === 'rule' ? judged.decision : null;
  const why = reasonOf(wanted, { isRuled: rule === 'deny' || rule === 'ask', wantsOutside, holds, isKnownSafe });
  // It quotes the line, which may be long and hold anything.
  const reason = why === 'judged' ? shownTitle(judged.reason, REASON_CHARS_MAX) : why;
  return {
    plan: { kind: 'exec', argv, cwd, timeoutMs: wanted.timeoutMs, confined: isHeld },
    shown: { command: argv, cwd },
    title: commandTitle(argv),
    facts: { holds, isKnownSafe, rule, wantsOutside, reason },
  };
}

type Known = { isRuled: boolean; wantsOutside: boolean; holds: boolean; isKnownSafe: boolean };

function reasonOf({ justification }: WantedExec, known: Known): 'judged' | string | null {
  if (known.isRuled) return 'judged';
  if (known.wantsOutside) {
    const said = justification && shownTitle(justification, REASON_CHARS_MAX);
    return said ? outsideReason(said) : null;
  }
  return known.holds && !known.isKnownSafe ? 'judged' : null;
}

/** A shell that reads no files of the user's first. */
function shellLine({ environment: { PATH } }: SessionHands, line: string): readonly string[] {
  const hasBash = 'file' in findProgram('bash', { cwd: '/', PATH });
  return [hasBash ? 'bash' : 'sh', '-c', line];
}

async function folderOf(
  session: string,
  workdir: string | null,
): Promise<{ cwd: string; workspace: string } | NotDone> {
  const wanted = path.resolve(session, workdir ?? '.');
  if (wanted.includes('\0')) return { words: 'workdir cannot hold U+0000' };
  try {
    const [cwd, workspace] = [await realpath(wanted), await realpath(session)];
    if ((await stat(cwd)).isDirectory()) return { cwd, workspace };
    return { words: `workdir is no folder: ${shownTitle(wanted)}` };
  } catch {
    return { words: `there is no folder ${shownTitle(wanted)}` };
  }
}
