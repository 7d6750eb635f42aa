import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Placeholder } from '../../src/template/generate/placeholders.js';
import { baton } from '../cli/run-bin.js';
import { readFiles, temporaryFolder, writeFiles } from './kit/write-files.js';

const NAME: Placeholder = {
  name: 'project_name',
  default: 'order-service',
  description: '',
  pattern: '^[A-Za-z][A-Za-z0-9 -]*$',
};
const FREE: Placeholder = { name: 'part', default: 'part', description: '', pattern: '[\\s\\S]*' };

function given(files: Readonly<Record<string, string>>, placeholders: readonly Placeholder[] = [NAME, FREE]) {
  const folder = temporaryFolder();
  const home = path.join(folder, 'home');
  const template = path.join(home, 'templates/made');
  mkdirSync(path.join(template, 'templates'), { recursive: true });
  writeFiles(template, {
    'manifest.json': JSON.stringify({ schema_version: '1.0.0', name: 'made', placeholders }),
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`templates/${name}`, text])),
  });
  return { folder, home, template, to: path.join(folder, 'new/billing') };
}

type Given = ReturnType<typeof given>;

function apply({ home, to }: Given, ...args: string[]) {
  return baton(['template', 'apply', 'made', '--to', to, ...args], { env: { BATON_HOME: home } });
}

/** Nothing was made, and nothing half made is left. */
function expectNothing({ folder, to }: Given): void {
  expect(existsSync(to)).toBe(false);
  expect(readdirSync(folder).sort()).toEqual(expect.arrayContaining(['home']));
  const beside = path.dirname(to);
  expect(existsSync(beside) ? readdirSync(beside) : []).toEqual([]);
}

const SMALL = {
  'README.md': '# {{baton.project_name.title}}\n',
  'src/{{baton.project_name.kebab}}/a.ts': 'export const {{baton.project_name.upper}} = "{{baton.part}}";\n',
};

describe('template apply', () => {
  test('makes a project that is called like its folder, with what was set', () => {
    const place = given(SMALL);
    const { code, out } = apply(place, '--set', 'part=a=b', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      template: 'made',
      to: place.to,
      files: 2,
      values: { project_name: 'billing', part: 'a=b' },
    });
    expect(readFiles(place.to)).toEqual({
      'README.md': '# Billing\n',
      'src/billing/a.ts': 'export const BILLING = "a=b";\n',
    });
  });

  test('keeps what may be executed, and bytes that are no text', () => {
    const place = given(SMALL);
    const bytes = new Uint8Array([0, 255, 123, 123, 98, 97, 116, 111, 110, 46]);
    writeFileSync(path.join(place.template, 'templates/logo.bin'), bytes);
    writeFileSync(path.join(place.template, 'templates/run.sh'), 'echo {{baton.project_name.flat}}\n');
    chmodSync(path.join(place.template, 'templates/run.sh'), 0o755);
    expect(apply(place).code).toBe(0);
    expect(statSync(path.join(place.to, 'run.sh')).mode & 0o100).toBe(0o100);
    expect(statSync(path.join(place.to, 'README.md')).mode & 0o111).toBe(0);
    expect(new Uint8Array(readFileSync(path.join(place.to, 'logo.bin')))).toEqual(bytes);
  });

  test('takes an empty folder and a path to a template', () => {
    const place = given(SMALL);
    mkdirSync(place.to, { recursive: true });
    const { code } = baton(['template', 'apply', './home/templates/made', '--to', 'new/billing'], {
      cwd: place.folder,
    });
    expect(code).toBe(0);
    expect(readdirSync(place.to).sort()).toEqual(['README.md', 'src']);
  });

  test('refuses a folder with something in it, and leaves it as it was', () => {
    const place = given(SMALL);
    writeFiles(place.to, { 'mine.txt': 'mine' });
    const { code, err } = apply(place);
    expect(code).toBe(1);
    expect(err).toContain('FOLDER_IN_USE');
    expect(readFiles(place.to)).toEqual({ 'mine.txt': 'mine' });
    expect(readdirSync(path.dirname(place.to))).toEqual(['billing']);
  });

  test.each<[what: string, args: string[], said: RegExp]>([
    ['a key there is not', ['--set', 'projectname=x'], /Did you mean: project_name/],
    ['a value that does not fit', ['--set', 'project_name=../x'], /does not fit project_name/],
    ['a pair without =', ['--set', 'project_name'], /KEY=VALUE/],
    ['a key given twice', ['--set', 'part=1', '--set', 'part=2'], /twice/],
  ])('refuses %s as wrong usage', (_, args, said) => {
    const place = given(SMALL);
    const { code, err } = apply(place, ...args);
    expect(code).toBe(2);
    expect(err).toMatch(said);
    expectNothing(place);
  });

  test('says which templates there are when one is mistyped', () => {
    const { home, folder } = given(SMALL);
    const ran = baton(['template', 'apply', 'maed', '--to', 'x'], { env: { BATON_HOME: home }, cwd: folder });
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/did you mean made\?.* TEMPLATE_NOT_FOUND/);
  });
});

describe('a hostile template', () => {
  test.each([
    ['..', '../../../escaped'],
    ['an absolute path', '/escaped'],
    ['hooks of git', '.git/hooks/post-checkout'],
    ['a null character', 'a\u0000b'],
    ['a backslash', '..\\escaped'],
    ['a home folder', '~/escaped'],
  ])('is refused when a value makes a path of %s', (_, value) => {
    const place = given({ '{{baton.part}}': 'x' }, [NAME, { ...FREE, default: value }]);
    const { code, out } = apply(place, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ allow: false, code: 'PATH_REFUSED' });
    expectNothing(place);
  });

  test('is refused when two files would become one', () => {
    const place = given({ '{{baton.project_name.kebab}}.ts': '1', '{{baton.project_name.snake}}.ts': '2' });
    expect(apply(place)).toMatchObject({ code: 1, err: expect.stringMatching(/would both become billing\.ts/) });
    expectNothing(place);
    expect(apply(place, '--set', 'project_name=billing desk').code).toBe(0);
  });

  test('is refused when a file stands where another needs a folder', () => {
    const place = given({ '{{baton.part}}': '1', 'part/b.ts': '2' });
    expect(apply(place)).toMatchObject({ code: 1, err: expect.stringMatching(/PATH_REFUSED/) });
    expectNothing(place);
  });

  test.each(['templates/link.txt', 'templates/link'])('is refused with a link at %s', (link) => {
    const place = given(SMALL);
    symlinkSync('/etc', path.join(place.template, link));
    expect(apply(place)).toMatchObject({ code: 1, err: expect.stringMatching(/TEMPLATE_INVALID/) });
    expectNothing(place);
  });

  test('is refused when its pattern never ends', () => {
    const place = given(SMALL, [NAME, { ...FREE, default: `${'a'.repeat(40)}!`, pattern: '^(a+)+$' }]);
    expect(apply(place)).toMatchObject({ code: 1, err: expect.stringMatching(/pattern of the placeholder part/) });
    expectNothing(place);
  });

  test.each<[what: string, manifest: unknown]>([
    ['no object', []],
    ['another version', { schema_version: '2.0.0', name: 'made', placeholders: [] }],
    ['no placeholders', { schema_version: '1.0.0', name: 'made' }],
    ['a placeholder without a pattern', { schema_version: '1.0.0', name: 'made', placeholders: [{ name: 'a' }] }],
    [
      'a placeholder of the prototype',
      { schema_version: '1.0.0', name: 'm', placeholders: [{ ...FREE, name: '__proto__' }] },
    ],
  ])('is refused with %s in its manifest', (_, manifest) => {
    const place = given(SMALL);
    writeFileSync(path.join(place.template, 'manifest.json'), JSON.stringify(manifest));
    expect(apply(place)).toMatchObject({ code: 1, err: expect.stringMatching(/manifest\.json.*TEMPLATE_INVALID/) });
    expectNothing(place);
  });

  test('is refused at the place of a placeholder that nobody declared', () => {
    const place = given({ 'a.ts': 'fine\n{{baton.colour}}\n' });
    expect(apply(place).err).toMatch(/templates\/a\.ts, line 2, has the placeholder colour/);
    expectNothing(place);
  });
});
