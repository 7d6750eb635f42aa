import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTRACT_NAMES } from '../../contracts/contract-names.js';
import { COMMANDS } from '../catalogue.js';
import { runCompletion } from '../commands/completion.js';
import { recordingIo } from '../recording-io.js';
import { renderCompletion } from './render-completion.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'baton-complete-'));
  writeFileSync(path.join(folder, 'my packet.json'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What real bash offers for each of these lines; the last word of each is being typed. */
function bash(...lines: readonly string[][]): string[][] {
  const script = `${renderCompletion('bash', COMMANDS, CONTRACT_NAMES)}
offered() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _baton; printf '%s\\n' "\${COMPREPLY[@]}" ---; }
${lines.map((words) => `offered baton ${words.map((word) => `'${word}'`).join(' ')}`).join('\n')}`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  const offers = stdout.split('---\n').slice(0, -1);
  return offers.map((offered) => offered.split('\n').filter(Boolean));
}

describe('in bash', () => {
  test.each<[string[], string[]]>([
    [['val'], ['validate']],
    [['validate', 'ass'], ['assignment']],
    [
      ['config', ''],
      ['list', 'get', 'set'],
    ],
    [['config', 's'], ['set']],
    [['schema', 'show', 'worklog'], ['worklog-entry']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['help', 'doc'], ['doctor']],
    [['validate', '--str'], ['--strict']],
    [
      ['doctor', '--'],
      ['--show-fix', '--json', '--help'],
    ],
    [
      ['validate', '--format', 'j'],
      ['json', 'junit'],
    ],
    [
      ['validate', '--format', '=', 'j'],
      ['json', 'junit'],
    ],
    [
      ['validate', '--format', '='],
      ['json', 'text', 'github', 'junit'],
    ],
    [['validate', '--format', 'json', 'ass'], ['assignment']],
    [['validate', '--strict', 'ass'], ['assignment']],
    [['validate', 'assignment', 'my'], ['my packet.json']],
    [['validate', 'assignment', 'a.json', 'my'], ['my packet.json']],
    [['validate', '--against', 'my'], ['my packet.json']],
    [['validate', '-', 'my'], ['my packet.json']],
    [['nonsense', 'my'], ['my packet.json']],
    [['xyz'], []],
  ])('%j offers %j', (words, offered) => {
    expect(bash(words)).toEqual([offered]);
  });

  test('every command can be reached by completing its words', () => {
    const wanted = COMMANDS.flatMap(({ name }) => {
      const words = name.split(' ');
      return words.map((word, index) => ({ word, before: words.slice(0, index) }));
    });
    const offers = bash(...wanted.map(({ before }) => [...before, '']));
    for (const [index, { word }] of wanted.entries()) expect(offers[index]).toContain(word);
  });
});

describe.each(['zsh', 'fish'] as const)('in %s', (shell) => {
  const script = renderCompletion(shell, COMMANDS, CONTRACT_NAMES);
  const installed = spawnSync(shell, ['-c', 'true']).status === 0;

  test('the script holds the table in that shell and its driver', () => {
    const golden = {
      zsh: [
        '#compdef baton\n_baton_table() {\n  case "$1" in\n',
        "    'sub:config') echo 'list get set' ;;\n",
        'compdef _baton baton\n',
      ],
      fish: [
        'function __baton_table\n  switch "$argv[1]"\n',
        "    case 'sub:config'\n      printf '%s\\n' 'list' 'get' 'set'\n",
        "complete -c baton -f -a '(__baton_complete)'\n",
      ],
    };
    for (const part of golden[shell]) expect(script).toContain(part);
  });

  test.runIf(installed)('the shell accepts the script', () => {
    expect(spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('baton completion', () => {
  const call = async (name: string, json = false) => {
    const io = recordingIo({});
    await runCompletion({ positionals: [name], values: { json } }, io);
    return io.said.out;
  };

  test('prints the script of the shell', async () => {
    expect(await call('zsh')).toBe(renderCompletion('zsh', COMMANDS, CONTRACT_NAMES));
    expect(JSON.parse(await call('fish', true))).toMatchObject({ shell: 'fish' });
  });

  test('refuses a shell it does not know', async () => {
    await expect(call('tcsh')).rejects.toMatchObject({ code: 'USAGE' });
  });
});
