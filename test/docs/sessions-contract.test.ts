import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isErrorCode } from '../../src/contracts/shared/errors.js';

type Definition = { $comment?: string; description: string; properties: Record<string, { $comment?: string }> };
type Schema = { definitions: Record<string, Definition> };
type Sources = { submission: Schema; event: Schema; submissions: string[]; events: string[] };
type Generator = {
  NOT_YET: readonly { types: readonly string[]; says: string }[];
  protocolPage(page: string, sources?: Sources): string;
  readSources(): Sources;
};

const ROOT = path.join(import.meta.dirname, '../..');
const GENERATOR = new URL('../../tools/generate-protocol.mjs', import.meta.url).href;
const { NOT_YET, protocolPage, readSources } = (await import(/* @vite-ignore */ GENERATOR)) as Generator;
const PAGE = readFileSync(path.join(ROOT, 'docs/contracts/sessions.md'), 'utf8');

/** As GitHub makes it of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

/** The page as it would be had the schemas or the lines been changed so. */
function pageAfter(change: (sources: Sources) => void): string {
  const sources = readSources();
  change(sources);
  return protocolPage(PAGE, sources);
}

const definition = ({ submission }: Sources, name: string) => submission.definitions[name] as Definition;

describe('docs/contracts/sessions.md', () => {
  test('is what the schemas and the example lines say', () => {
    expect(protocolPage(PAGE) === PAGE, 'run: npm run generate').toBe(true);
  });

  test('has one section for each op and each event, with a line that is an example of it', () => {
    const headings = [...PAGE.matchAll(/^### `(\w+)`$/gm)].map(([, type]) => type);
    const examples = [...PAGE.matchAll(/^```json\n(.*)\n```$/gm)].map(([, text]) => JSON.parse(text ?? ''));
    expect(headings.length).toBeGreaterThan(40);
    expect(examples.map(({ op, msg }) => (op ?? msg).type)).toEqual(headings);
  });

  test('has no two headings that links could not tell apart', () => {
    const anchors = [...PAGE.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title));
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
    const targets = [...PAGE.matchAll(/\]\(#([^)]+)\)/g)].map(([, target]) => target);
    expect(targets.filter((target = '') => !anchors.includes(target))).toEqual([]);
  });

  test('names no version that is not there yet', () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    const named = [...PAGE.matchAll(/Since (\d+\.\d+\.\d+)\./g)].map(([, since = '']) => since);
    const later = named.filter((since) => since.localeCompare(version, 'en', { numeric: true }) > 0);
    expect([named.length > 40, later]).toEqual([true, []]);
  });

  test('says of what is not built yet how it is answered, with a code that there is', () => {
    const types = NOT_YET.flatMap((row) => row.types);
    for (const type of types) expect(PAGE).toContain(`\n### \`${type}\`\n`);
    const codes = NOT_YET.flatMap(({ says }) => [...says.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code));
    expect(codes.filter((code) => !isErrorCode(code))).toEqual([]);
  });

  test('shows since when a field is there that came later than its op', () => {
    const page = pageAfter((sources) => {
      const { client } = definition(sources, 'Attach').properties;
      if (client) client.$comment = 'since 0.2.0';
    });
    expect(page).toMatch(/^\| `client` .* \(since 0\.2\.0\) \|$/m);
  });
});

describe('the page is not written', () => {
  test.each<[what: string, change: (sources: Sources) => void, reason: RegExp]>([
    [
      'without the version of an op',
      (sources) => {
        definition(sources, 'Interrupt').$comment = 'new';
      },
      /interrupt must say in its \$comment since when/,
    ],
    [
      'without a line for each op',
      (sources) => {
        sources.submissions = sources.submissions.filter((line) => !line.includes('"compact"'));
      },
      /no line with op\.type compact/,
    ],
    [
      'with a decision that nobody explains',
      (sources) => {
        definition(sources, 'ExecApproval').properties.decision = { enum: ['approved', 'perhaps'] } as object;
      },
      /Decisions: the schema has approved, perhaps/,
    ],
    [
      'when submissions and events mean different things by one name',
      (sources) => {
        definition(sources, 'SandboxPolicy').description = 'Something else.';
      },
      /SandboxPolicy means two things/,
    ],
  ])('%s', (_, change, reason) => {
    expect(() => pageAfter(change)).toThrow(reason);
  });

  test('without the mark that keeps it apart from what is written by hand', () => {
    expect(() => protocolPage('# Sessions\n')).toThrow('must have this line once');
  });
});
