import { narrowestRules } from '../../core/policy/narrowest-rule.js';
import type { KnownRule, Ruling } from '../../core/policy/rule.js';
import type { Desk } from '../../engine/desk.js';
import { homeFolder } from '../../settings/home.js';
import type { Io } from '../io.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { readRule } from '../rule/read-rule.js';
import { ruleFolder, ruleId, ruleRepository, trustedRules } from '../rule/rule-scope.js';
import { describedRule, judgedLines, ruleLines } from '../rule/rule-view.js';

const EXIT: Readonly<Record<Ruling, number>> = { allow: 0, deny: 1, ask: 3 };

export const runRuleList: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const repo = parsed.values.all === true ? null : ruleRepository(parsed, io);
    const found = await rulesOf(desk, repo, textOption(parsed, 'agent'), io);
    if (parsed.values.json) io.out(`${printableJson({ items: found, next: null })}\n`);
    else for (const line of ruleLines(found, { repo, nowMs: desk.clock.nowMs() })) io.out(`${line}\n`);
    return 0;
  });

async function rulesOf(
  { rules }: Desk,
  repo: string | null,
  agent: string | undefined,
  io: Io,
): Promise<readonly KnownRule[]> {
  if (repo === null) return rules.kept();
  const project = await trustedRules(homeFolder(io), repo, io);
  return agent === undefined ? rules.ofRepository(repo, project) : rules.applying({ repo, agent }, project);
}

export const runRuleAdd: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const rule = await readRule(desk, parsed, io);
    const id = await desk.rules.add(rule, rule.author);
    if (parsed.values.json) io.out(`${printableJson({ id: String(id), ...rule })}\n`);
    else {
      const kept = { id: String(id), ...rule };
      io.err(`Rule ${id}: ${describedRule(kept, desk.clock.nowMs())}\nTake it back: baton rule rm ${id}\n`);
    }
    return 0;
  });

export const runRuleRm: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const ids = parsed.positionals.map(ruleId);
    for (const id of ids) {
      await desk.rules.remove(id, io.env.USER ?? 'cli');
      if (!parsed.values.json) io.err(`Rule ${id} is taken back.\n`);
    }
    if (parsed.values.json) io.out(`${printableJson({ removed: ids.map(String) })}\n`);
    return 0;
  });

export const runRuleTest: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const [line = ''] = parsed.positionals;
    const agent = textOption(parsed, 'agent') ?? null;
    const repo = ruleRepository(parsed, io);
    const cwd = ruleFolder(parsed, io, repo) ?? repo;
    const rules = await desk.rules.applying({ repo, agent }, await trustedRules(homeFolder(io), repo, io));
    const guard = (textOption(parsed, 'guard') ?? 'inside') as 'inside' | 'leaving' | 'none';
    const hosts = (parsed.values.host ?? []) as readonly string[];
    const judged = await desk.rules.judge({ line, cwd, workspace: repo, guard, hosts }, rules);
    const { reading, ...judgement } = judged;
    if (parsed.values.json) io.out(`${printableJson({ ...judgement, ...reading })}\n`);
    else {
      const always = narrowestRules(reading, {
        workspace: repo,
        repo,
        agent,
        author: 'cli',
        nowMs: desk.clock.nowMs(),
      });
      for (const text of judgedLines(judged, always)) io.out(`${printable(text)}\n`);
    }
    return EXIT[judged.decision];
  });
