import { expect, test } from 'vitest';
import { check } from '../shared/contract.js';
import { config } from './config.js';

const reasonOf = (tool: unknown, name = 'mine'): string => check(config, { tools: { [name]: tool } }).reason;

test.each([
  { command: 'count --rows', risk: 'read_only' },
  { command: ['/opt/count', '--rows'], risk: 'write', env: ['KEY'], timeout_seconds: 5, description: 'counts' },
  { url: 'https://tools.example.com/x', risk: 'destructive', header_env: { 'X-Key': 'KEY' }, allow_private: true },
  { mcp: { command: 'server' }, tool: 'search', risk: 'read_only', env: ['KEY'], network: ['*.example.com:443'] },
  { mcp: { url: 'https://mcp.example.com' }, risk: 'read_only', header_env: {} },
])('%j can be registered', (tool) => {
  expect(reasonOf(tool)).toBe('the payload is valid');
});

test.each([
  [{ command: 'x' }, /risk/],
  [{ command: 'x', risk: 'some' }, /risk/],
  [{ risk: 'write' }, 'the tool mine must have exactly one of command, url and mcp'],
  [{ command: 'x', url: 'https://a', risk: 'write' }, 'the tool mine must have exactly one of command, url and mcp'],
  [{ mcp: {}, risk: 'write' }, 'the tool mine must have exactly one of mcp.command and mcp.url'],
  [{ command: 'x', risk: 'write', header_env: {} }, 'the tool mine has header_env, which means nothing beside command'],
  [{ url: 'https://a', risk: 'write', env: [] }, 'the tool mine has env, which means nothing beside url'],
  [{ url: 'https://a', risk: 'write', network: [] }, 'the tool mine has network, which means nothing beside url'],
  [{ command: 'x', tool: 'y', risk: 'write' }, 'the tool mine has tool, which means nothing beside command'],
  [{ mcp: { url: 'https://a' }, env: [], risk: 'write' }, 'the tool mine has env, which means nothing beside mcp.url'],
  [{ url: 'https://[', risk: 'write' }, 'the tool mine has an address that is none'],
  [{ url: 'https://me:secret@a', risk: 'write' }, /url/],
  [{ command: 'x', risk: 'write', env: ['BATON_TOKEN'] }, /wants BATON_TOKEN, a variable of Baton's own/],
  [{ command: "x 'y", risk: 'write' }, /^the tool mine cannot be started: the command has no end/],
  [{ command: 'bin/x', risk: 'write' }, 'the tool mine names its program by a relative path: write the whole one'],
  [{ command: 'x', risk: 'write', shell: true }, /shell/],
])('%j cannot', (tool, reason) => {
  expect(reasonOf(tool)).toMatch(reason);
});

test.each(['code_search', 'read_file', 'list_files', 'find_symbols'])('nothing else can be called %s', (name) => {
  expect(reasonOf({ command: 'x', risk: 'read_only' }, name)).toBe(`the tool ${name} has the name of a built-in tool`);
});

test.each(['', '1x', 'a b', 'a/b', 'x'.repeat(65), '_x'])('%j is no name of a tool', (name) => {
  expect(reasonOf({ command: 'x', risk: 'read_only' }, name)).not.toBe('the payload is valid');
});
