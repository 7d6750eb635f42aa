import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTemplate } from '../../src/template/generate/create-template.js';
import { baton } from '../cli/run-bin.js';
import { ORDER_SERVICE } from './kit/projects.js';
import { readFiles, temporaryFolder, writeFiles } from './kit/write-files.js';

function given(files: Readonly<Record<string, string>> = ORDER_SERVICE) {
  const folder = temporaryFolder();
  const project = writeFiles(path.join(folder, 'source'), files);
  return { folder, project, home: path.join(folder, 'home') };
}

function create({ project, home }: ReturnType<typeof given>, ...args: string[]) {
  return baton(['template', 'create', '--path', project, ...args], { env: { BATON_HOME: home } });
}

describe('template create refuses', () => {
  test.each(['a/b', '..', '.hidden', 'a\\b', 'x'.repeat(65), 'a\u0000', 'dot.', ''])('the name %j', (name) => {
    const place = given();
    expect(create(place, `--name=${name.replace('\u0000', '\u0001')}`, '--no-agents')).toMatchObject({ code: 2 });
    expect(existsSync(place.home)).toBe(false);
  });

  test('to begin without a project or a name', () => {
    expect(baton(['template', 'create', '--name', 'x']).err).toContain('--path');
    expect(create(given(), '--no-agents').err).toContain('--name');
    expect(create(given(), '--name', 'x', '--resume', '--dry-run')).toMatchObject({ code: 2 });
  });

  test.each([
    ['is not there', (folder: string) => path.join(folder, 'nowhere')],
    ['is a file', (folder: string) => path.join(folder, 'source/README.md')],
    ['is empty', (folder: string) => path.join(folder, 'empty')],
  ])('a project that %s', (_, at) => {
    const place = given();
    mkdirSync(path.join(place.folder, 'empty'));
    const ran = create({ ...place, project: at(place.folder) }, '--name', 'x', '--no-agents');
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('INPUT_UNREADABLE') });
  });

  test('to write over what is not an earlier version of the same template', () => {
    const place = given();
    const output = path.join(place.folder, 'out');
    const flags = ['--output', output, '--no-agents'];
    writeFiles(output, { 'mine.txt': 'mine' });
    expect(create(place, '--name', 'x', ...flags).err).toContain('FOLDER_IN_USE');
    expect(readFiles(output)).toEqual({ 'mine.txt': 'mine' });

    const own = ['--output', path.join(place.folder, 'own'), '--no-agents'];
    expect(create(place, '--name', 'x', ...own).code).toBe(0);
    expect(create(place, '--name', 'y', ...own).err).toContain('FOLDER_IN_USE');
    writeFiles(place.project, { 'src/later.ts': 'export const later = 1;\n' });
    expect(create(place, '--name', 'x', ...own).code).toBe(0);
    expect(existsSync(path.join(place.folder, 'own/templates/src/later.ts'))).toBe(true);
    writeFiles(path.join(place.folder, 'own'), { 'notes.md': 'kept' });
    expect(create(place, '--name', 'x', ...own).err).toContain('FOLDER_IN_USE');
    expect(readdirSync(place.folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('to write over a template that was edited or is of another project, unless it is told to', () => {
    const place = given();
    const output = path.join(place.folder, 'own');
    const flags = ['--name', 'x', '--output', output, '--no-agents'];
    expect(create(place, ...flags).code).toBe(0);
    expect(create(place, ...flags).code).toBe(0);

    const namesake = { ...place, project: writeFiles(path.join(place.folder, 'elsewhere/source'), ORDER_SERVICE) };
    expect(create(namesake, ...flags)).toMatchObject({ code: 1, err: expect.stringContaining('of another project') });
    expect(create(namesake, ...flags, '--dry-run').code).toBe(1);

    for (const file of ['agents/mine.md', 'templates/src/main.ts', 'settings.json']) {
      writeFiles(output, { [file]: 'edited by hand\n' });
      const refused = create(place, ...flags);
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('FOLDER_IN_USE') });
      expect(refused.err).toContain('was changed since it was made');
      expect(readFiles(output)[file]).toBe('edited by hand\n');
      expect(create(place, ...flags, '--replace').code).toBe(0);
      expect(readFiles(output)[file]).not.toBe('edited by hand\n');
    }

    const manifest = JSON.parse(readFiles(output)['manifest.json'] ?? '');
    writeFiles(output, { 'manifest.json': JSON.stringify({ ...manifest, placeholders: [] }) });
    expect(create(place, ...flags).err).toContain('was changed since it was made');
    expect(create(namesake, ...flags, '--replace').code).toBe(0);
    expect(create(namesake, ...flags).code).toBe(0);
  });

  test('to replace what is no template, even when it is told to', () => {
    const place = given();
    const output = writeFiles(path.join(place.folder, 'out'), { 'mine.txt': 'mine' });
    const ran = create(place, '--name', 'x', '--output', output, '--no-agents', '--replace');
    expect(ran.err).toContain('is no template');
    expect(readFiles(output)).toEqual({ 'mine.txt': 'mine' });
  });

  test('an output that cannot be made, before anybody is asked', () => {
    const place = given();
    writeFileSync(place.home, 'a file');
    const ran = create(place, '--name', 'x');
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('FILE_UNWRITABLE') });
    expect(existsSync(path.join(place.project, '.agent-request.json'))).toBe(false);
  });

  // Root may write everywhere, so what stands in the way is a folder where the state would be written first.
  test('a project it cannot write to, unless nobody is to be asked', () => {
    const place = given();
    writeFiles(place.project, { '.template-create-state.json.tmp/full.txt': 'x' });
    const asked = create(place, '--name', 'x');
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('FILE_UNWRITABLE') });
    const before = readFiles(place.project);
    expect(create(place, '--name', 'x', '--no-agents').code).toBe(0);
    expect(readFiles(place.project)).toEqual(before);
  });
});

describe('template create takes', () => {
  test('an output inside of the project, and does not take itself for a part of it', () => {
    const place = given();
    const flags = ['--name', 'x', '--output', path.join(place.project, 'templates/x'), '--no-agents', '--json'];
    const first = create(place, ...flags);
    const second = create(place, ...flags);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(JSON.parse(second.out).files).toBe(JSON.parse(first.out).files);
  });

  test('a project in no language it knows', () => {
    const place = given({ 'a.zork': 'go north', 'b/c.zork': 'take lamp' });
    const { code, out } = create(place, '--name', 'x', '--no-agents', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ files: 2 });
    const manifest = JSON.parse(readFiles(path.join(place.home, 'templates/x'))['manifest.json'] ?? '');
    expect(manifest).toMatchObject({ language: null, framework: null });
  });

  test('a project of 50,000 files, and a bounded part of it', async () => {
    const place = given();
    for (let folder = 0; folder < 100; folder += 1) {
      const at = path.join(place.project, `src/part${folder}`);
      mkdirSync(at, { recursive: true });
      for (let file = 0; file < 500; file += 1)
        writeFileSync(path.join(at, `f${file}.ts`), `export const f = ${file};\n`);
    }
    const made = await createTemplate({
      dir: place.project,
      name: 'x',
      defaultOutput: (name) => path.join(place.home, name),
      resume: false,
      agents: false,
      dryRun: false,
      scrub: (text) => text,
    });
    if ('checkpoint' in made) throw new Error('nobody was to be asked');
    expect(made.files).toBeLessThanOrEqual(400);
    expect(made.files).toBeGreaterThan(300);
    expect(made.phases[3]?.summary).toMatch(/of 500\d\d files/);
  }, 300_000);
});
