import { expect, test } from 'vitest';
import { Permits } from '../approvals/permit.js';
import { answerClaude } from './claude-hook.js';

const bash = { tool_name: 'Bash', tool_input: { command: 'git push' }, cwd: '/work' };
const permits = (judge: ConstructorParameters<typeof Permits>[2]) =>
  new Permits({ run: 'j', held: true }, { agent: 'claude' }, judge);
const decisionOf = ({ reply }: { reply: object }) =>
  (reply as { hookSpecificOutput: { permissionDecision: string } }).hookSpecificOutput.permissionDecision;

test('what cannot be judged is not done: a hook that failed would be passed over', async () => {
  const closed = permits(() => Promise.reject(new Error('the store is closed')));
  expect(decisionOf(await answerClaude(bash, closed))).toBe('deny');
});

test('looking needs nobody; what has to wait is deferred, with exactly what it is', async () => {
  const asks = permits(async () => ({ decision: 'ask', why: 'rule 1 says so' }));
  expect(decisionOf(await answerClaude({ ...bash, tool_name: 'Read' }, asks))).toBe('allow');
  const answer = await answerClaude(bash, asks);
  expect(decisionOf(answer)).toBe('defer');
  expect(answer.deferred).toMatchObject({ kind: 'exec', what: 'git push', cwd: '/work', why: 'rule 1 says so' });
});
