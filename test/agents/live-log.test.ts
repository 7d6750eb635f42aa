import { describe, expect, test } from 'vitest';
import type { Step, Turn } from '../../src/testing/index.js';
import { DONE, type RealName, realStage } from './real-stage.js';

const LONG_MS = 180_000;
const SECRET = 'tok-c4nary-9876543210';
const LOUD = "cat > note.txt <<'EOF'\nfirst 'line'\nEOF\nprintf '\\033[31mred\\033[0m\\tand\\r\\nmore\\n'; exit 3";
const LEAKS = 'echo "it is $MY_TOKEN"';
const PATCH = [
  ...['*** Begin Patch', '*** Update File: add.js', '@@', '-exports.add = (a, b) => a - b;'],
  ...['+exports.add = (a, b) => a + b;', '*** Add File: new.js', '+1', '*** End Patch', ''],
].join('\n');

const call = (name: string, args: object, namespace?: string): Step => ({
  tool_calls: [{ name, arguments: { ...args }, ...(namespace !== undefined && { namespace }) }],
});
const THINKS = { reasoning: 'The sign is wrong.\nI change it.', text: 'I look at it.\n\nThen I **mend** it.' };
const THOUGHT = ['thinks: The sign is wrong. (+1 line)', 'says: I look at it. (+1 line)'];
const SAID = `says: ${DONE}`;

const shell = (cmd: string): Step => call('exec_command', { cmd });
const CODEX: Step[] = [
  { ...THINKS, ...shell('cat add.js') },
  shell(LOUD),
  shell(LEAKS),
  shell(`apply_patch <<'EOF'\n${PATCH}EOF`),
  call('spawn_agent', { task_name: 'helper', message: 'HELP-ME', fork_turns: 'none' }, 'collaboration'),
  call('wait_agent', { timeout_ms: 30_000 }, 'collaboration'),
  { text: DONE },
];
const CODEX_LINES = [
  ...THOUGHT,
  ...['$ cat add.js', '  exit 0: exports.add = (a, b) => a - b;'],
  ...["$ cat > note.txt <<'EOF' (+3 lines)", '  exit 3: red and (+1 line)'],
  ...[`$ ${LEAKS}`, '  exit 0: it is [secret]'],
  ...['edits add.js', 'edits new.js'],
];

const CLAUDE: Step[] = [
  { ...THINKS, ...call('Read', { file_path: 'add.js' }) },
  call('Bash', { command: LOUD, description: 'loud' }),
  call('Bash', { command: LEAKS, description: 'leaks' }),
  call('Edit', { file_path: 'WORKSPACE/add.js', old_string: 'a - b', new_string: 'a + b' }),
  call('Write', { file_path: 'WORKSPACE/new.js', content: '1\n' }),
  call('Read', { file_path: 'WORKSPACE/missing.js' }),
  call('Agent', { description: 'count things', prompt: 'HELP-ME\nplease', subagent_type: 'general-purpose' }),
  call('Nonsense', { x: 1 }),
  { text: DONE },
];
const CLAUDE_LINES = [
  ...THOUGHT,
  'reads add.js',
  ...["$ cat > note.txt <<'EOF' (+3 lines)", '  failed: Exit code 3 (+2 lines)'],
  ...[`$ ${LEAKS}`, '  done: it is [secret]'],
  ...['edits add.js', 'writes new.js'],
  ...['reads missing.js', expect.stringMatching(/^ {2}failed: File does not exist\./)],
  ...['Agent count things', 'helper: $ ls test', 'helper:   done: add.test.js', '  done: Counted. (+1 line)'],
  ...['Nonsense', '  failed: Error: No such tool available: Nonsense'],
  SAID,
];

async function logOf(who: RealName, steps: readonly Step[], rule = 'allow'): Promise<string[]> {
  const list = who === 'codex' ? shell('ls test') : call('Bash', { command: 'ls test', description: 'looks' });
  const helper: Turn = { when: { prompt: 'HELP-ME' }, steps: [list, { text: 'Counted.\nThree.' }] };
  const own: Step[] = [];
  const { stage } = await realStage([helper, { steps: own }]);
  const workspace = `${stage.home}/jobs/j/workspace`;
  own.push(...JSON.parse(JSON.stringify(steps).replaceAll('WORKSPACE', workspace)));
  if (rule === 'ask') await stage.ok('rule', 'add', 'ask', 'git push');
  stage.extra.MY_TOKEN = SECRET;
  const options = ['--id', 'j', '--agent', who, '--supervisor', 'none', '--env', 'MY_TOKEN'];
  const { printed } = await stage.json('run', 'Fix add', ...options);
  expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
  const { out } = await stage.ok('job', 'log', 'j');
  expect(out).not.toContain(SECRET);
  return out.split('\n').flatMap((line) => (line.startsWith('  : ') ? [line.slice(4)] : []));
}

describe('the live log has one plain line for each thing', { timeout: LONG_MS }, () => {
  test('that Codex says and does', async () => {
    expect(await logOf('codex', CODEX)).toEqual([...CODEX_LINES, 'waits for its helpers', SAID]);
  });

  test('that Codex and its helper say and do where it has to ask; what the helper says is no answer', async () => {
    const lines = await logOf('codex', CODEX, 'ask');
    const byHelper = lines.filter((line) => line.startsWith('helper: '));
    expect(lines.filter((line) => !byHelper.includes(line))).toEqual([...CODEX_LINES, 'waits for its helpers', SAID]);
    expect(byHelper).toEqual([
      ...['helper: started /root/helper', 'helper: $ ls test', 'helper:   exit 0: add.test.js'],
      ...['helper: says: Counted. (+1 line)', 'helper: completed /root/helper'],
    ]);
  });

  test('that Claude Code and its helper say and do', async () => {
    expect(await logOf('claude', CLAUDE)).toEqual(CLAUDE_LINES);
  });
});
