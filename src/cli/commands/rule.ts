import { narrowestRules } from '../../core/policy/narrowest-rule.js';
import type { KnownRule, Ruling } from '../../core/policy/rule.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { Io } from '../io.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { readRule } from '../rule/read-rule.js';
import { ruleFolder, ruleId, ruleRepository, trustedRules } from '../rule/rule-scope.js';
import { describedRule, judgedLines, ruleLines } from '../rule/rule-view.js';

const EXIT: Readonly<Record<Ruling, number>> = { allow: 0, deny: 1, ask: 3 };

export const runRuleList: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const repo = parsed.values.all === true ? null : ruleRepository(parsed, io);
    const found = await rulesOf(baton, repo, textOption(parsed, 'agent'), io);
    if (parsed.values.json) io.out(`${printableJson({ items: found, next: null })}\n`);
    else for (const line of ruleLines(found, { repo, nowMs: baton.clock.nowMs() })) io.out(`${line}\n`);
    return 0;
  });

async function rulesOf(
  { rules, folder }: Baton,
  repo: string | null,
  agent: string | undefined,
  io: Io,
): Promise<readonly KnownRule[]> {
  if (repo === null) return rules.kept();
  const project = await trustedRules(folder, repo, io);
  return agent === undefined ? rules.ofRepository(repo, project) : rules.applying({ repo, agent }, project);
}

export const runRuleAdd: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const rule = await readRule(baton, parsed, io);
    const id = await baton.rules.add(rule, rule.author);
    if (parsed.values.json) io.out(`${printableJson({ id: String(id), ...rule })}\n`);
    else {
      const kept = { id: String(id), ...rule };
      io.err(`Rule ${id}: ${describedRule(kept, baton.clock.nowMs())}\nTake it back: baton rule rm ${id}\n`);
    }
    return 0;
  });

export const runRuleRm: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const ids = parsed.positionals.map(ruleId);
    for (const id of ids) {
      await baton.rules.remove(id, io.env.USER ?? 'cli');
      if (!parsed.values.json) io.err(`Rule ${id} is taken back.\n`);
    }
    if (parsed.values.json) io.out(`${printableJson({ removed: ids.map(String) })}\n`);
    return 0;
  });

export const runRuleTest: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const [line = ''] = parsed.positionals;
    const agent = textOption(parsed, 'agent') ?? null;
    const repo = ruleRepository(parsed, io);
    const cwd = ruleFolder(parsed, io, repo) ?? repo;
    const rules = await baton.rules.applying({ repo, agent }, await trustedRules(baton.folder, repo, io));
    const guard = (textOption(parsed, 'guard') ?? 'inside') as 'inside' | 'leaving' | 'none';
    const hosts = (parsed.values.host ?? []) as readonly string[];
    const judged = await baton.rules.judge({ line, cwd, workspace: repo, guard, hosts }, rules);
    const { reading, ...judgement } = judged;
    if (parsed.values.json) io.out(`${printableJson({ ...judgement, ...reading })}\n`);
    else {
      const always = narrowestRules(reading, {
        workspace: repo,
        repo,
        agent,
        author: 'cli',
        nowMs: baton.clock.nowMs(),
      });
      for (const text of judgedLines(judged, always)) io.out(`${printable(text)}\n`);
    }
    return EXIT[judged.decision];
  });
