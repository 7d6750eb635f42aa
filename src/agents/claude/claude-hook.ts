import path from 'node:path';
import type { Wanted } from '../../core/kernel/effect.js';
import type { Permits } from '../approvals/permit.js';
import { type Fields, fields, text } from '../cli/fields.js';

/** Tools that only look, or that only speak to the model. */
const HARMLESS = new Set([
  ...['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'TodoWrite', 'Task', 'Agent', 'ToolSearch', 'Skill', 'TaskStop'],
  ...['ListAgents', 'SendMessage', 'ReportFindings', 'ExitPlanMode', 'BashOutput', 'KillShell', 'Monitor'],
]);
const EDITING = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** What a tool would do, in the words rules are made in; undefined when nobody need be asked. */
export function wantedBy({
  tool_name: name,
  tool_input: input,
  cwd,
}: Fields): Pick<Wanted, 'kind' | 'what' | 'cwd'> | undefined {
  const tool = text(name);
  const { command, file_path: file, notebook_path: notebook } = fields(input);
  if (HARMLESS.has(tool)) return undefined;
  if (tool === 'Bash') return { kind: 'exec', what: text(command), cwd: text(cwd) };
  if (EDITING.has(tool))
    return { kind: 'patch', what: path.resolve(text(cwd), text(file ?? notebook)), cwd: text(cwd) };
  return { kind: 'exec', what: `${tool} ${JSON.stringify(input)}`, cwd: text(cwd) };
}

/** A hook that fails is passed over by it, so it is told no. */
const NOT_JUDGED = { decision: 'deny', reason: 'it could not be judged whether this may be done' } as const;

/** Answers its PreToolUse hook. What has to wait for a person is deferred: it ends, and goes on with exactly that call. */
export async function answerClaude(event: Fields, permits: Permits): Promise<{ reply: object; deferred?: Wanted }> {
  const asked = wantedBy(event);
  if (!asked) return { reply: decided('allow', 'it only looks') };
  const permit = await permits.permit(asked).catch(() => NOT_JUDGED);
  switch (permit.decision) {
    case 'allow':
      return { reply: decided('allow', 'it may') };
    case 'deny':
      return { reply: decided('deny', permit.reason) };
    case 'ask':
      return { reply: decided('defer', permit.why), deferred: permit.wanted };
  }
}

function decided(permissionDecision: 'allow' | 'deny' | 'defer', permissionDecisionReason: string): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason } };
}
