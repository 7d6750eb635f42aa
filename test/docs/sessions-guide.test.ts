import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/catalogue.js';
import { findCommand, parseWords } from '../../src/cli/parse-command.js';
import { submission } from '../../src/contracts/session/submission.js';
import { parseContract } from '../../src/contracts/shared/contract.js';
import { ROOT } from '../cli/run-bin.js';

const PAGE = readFileSync(path.join(ROOT, 'docs/guides/sessions.md'), 'utf8');
const blocks = (kind: string): string[] =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``, 'g'))].flatMap(([, text = '']) =>
    text.trim().split('\n'),
  );

test('every command it shows can be called so', () => {
  const calls = blocks('sh').map((line) => line.replace(/ +#.*$/, '').replace(/^.*\| /, ''));
  expect(calls.length).toBeGreaterThan(8);
  for (const call of calls) {
    const words = [...call.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
    const spec = findCommand(words, COMMANDS);
    expect(spec, call).toBeDefined();
    if (spec) parseWords(spec, words.slice(spec.name.split(' ').length));
  }
});

test('every line it shows keeps the contract', () => {
  for (const line of blocks('json')) parseContract(submission, JSON.parse(line));
});
