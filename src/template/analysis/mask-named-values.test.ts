import { expect, test } from 'vitest';
import { maskNamedValues } from './mask-named-values.js';

test.each([
  ['const password = "correct-horse";', 'const password = "[secret]";'],
  ["{ 'apiKey': 'abcdef12' }", "{ 'apiKey': '[secret]' }"],
  ['DB_PASSWORD: str = "correct-horse"', 'DB_PASSWORD: str = "[secret]"'],
  ['clientSecret := `abcdef12`', 'clientSecret := `[secret]`'],
  ['config["token"] = "abcdef12"', 'config["token"] = "[secret]"'],
  ['var connectionString = @"Server=db;Pwd=1";', 'var connectionString = @"[secret]";'],
  ['os.environ.setdefault("SECRET_KEY", "abcdef12")', 'os.environ.setdefault("SECRET_KEY", "[secret]")'],
  ['<password>abcdef12</password>', '<password>[secret]</password>'],
])('a value that is secret by its name is taken out of code: %s', (text, masked) => {
  expect(maskNamedValues(text, true)).toBe(masked);
});

test.each([
  ['spring.datasource.password=abcdef', 'spring.datasource.password=[secret]'],
  ['  api_key: abcdef12', '  api_key: [secret]'],
  ['export TOKEN=abcdef12', 'export TOKEN=[secret]'],
])('and out of settings: %s', (text, masked) => {
  expect(maskNamedValues(text, false)).toBe(masked);
});

test.each([
  'const token = readToken();',
  'type Options = { password: string };',
  'const label = "your password";',
  'const password = "$PASSWORD";',
  'const hint = { password: "enter your password here" };',
  'api_key: <your key>',
  'secret: true',
  'tokens = lexer.tokens()',
  '{ "jsonwebtoken": "^9.0.2", "js-tokens": "4.0.0-rc.1" }',
  'tiktoken==0.5.1',
  "const NAMES = ['password', 'authorization', 'token', 'cookie-jar'];",
  "const unit = { tokens: 'handoffs' };",
])('what is no secret stays: %s', (text) => {
  expect(maskNamedValues(text, false)).toBe(text);
});
