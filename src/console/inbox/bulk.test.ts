import { expect, test } from 'vitest';
import type { InboxItem } from '../../client/index.js';
import { bulkProblem } from './bulk.js';

function asks(command: string, details: InboxItem['details'] = {}, more: Partial<InboxItem> = {}): InboxItem {
  return {
    ...{ item: 1, run_id: 'j', kind: 'exec_approval', status: 'open', title: '', question: '', created_at: '' },
    ...{ expires_at: null, made_by: null, barred: null, answered: null },
    details: { command, agent: 'a', why: 'nothing allows it', ...details },
    ...more,
  };
}

test('commands of one agent and one rule are answered together', () => {
  expect(bulkProblem(asks('npm test'), [asks('npm run lint', {}, { item: 2 })])).toBeUndefined();
});

test.each([
  ['rm -rf build', 'destroy'],
  ['git push origin main', 'network'],
  ['git reset --hard', 'destroy'],
  ['echo x > file', 'destroy'],
  ['node a.js && curl https://example.com', 'network'],
  ['bash -c "rm x"', 'destroy'],
  ['npm install left-pad', 'network'],
])('%s is answered by itself', (command, why) => {
  expect(bulkProblem(asks(command), [])).toContain(why);
});

test('another agent, rule or kind, a host, and what one may not answer do not go with others', () => {
  const marked = [asks('npm test', {}, { item: 2 })];
  expect(bulkProblem(asks('npm test', { agent: 'b' }), marked)).toBe('those that are marked are of a');
  expect(bulkProblem(asks('npm test', { why: 'rule 4 says: ask' }), marked)).toContain('another rule');
  expect(bulkProblem(asks('a.txt', {}, { kind: 'patch_approval' }), marked)).toContain('another kind');
  expect(bulkProblem(asks('x', { command: undefined, host: 'h' }), [])).toContain('network');
  expect(bulkProblem(asks('npm test', {}, { kind: 'approval' }), [])).toContain('only commands');
  expect(bulkProblem(asks('npm test', {}, { barred: 'you made it' }), [])).toBe('you made it');
});

test('what leaves the sandbox, has begun before, or is a change to be read is answered by itself', () => {
  const patch = { kind: 'patch_approval' };
  expect(bulkProblem(asks('make', { session: true, where: 'outside' }), [])).toContain('leaves the sandbox');
  expect(bulkProblem(asks('make', { session: true, again: 'unknown' }), [])).toContain('begun before');
  expect(bulkProblem(asks('a.txt', { session: true }, patch), [])).toContain('to be read');
});
