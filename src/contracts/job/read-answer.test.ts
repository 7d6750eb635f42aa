import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentResponse } from '../generated/types/agent-response.js';
import { readAnswer } from './read-answer.js';

const response: AgentResponse = {
  action: 'COMPLETED',
  evidence_files: ['src/a.ts'],
  summary_for_supervisor: 'It works. A test shows it.',
};
const text = JSON.stringify(response);
const FENCE = '```';

const found = { response, fault: null, violation: null, warnings: [], reported: null };
const faulty = (kind: string, reason: string) => {
  return { response: null, fault: { kind, reason }, violation: null, warnings: [], reported: null };
};
const loose = (answer: string) => readAnswer(answer, { exact: false });
const exact = (answer: string) => readAnswer(answer, { exact: true });
const changed = (changes: object) => JSON.stringify({ ...response, ...changes });

describe('an answer that is one object and nothing else', () => {
  test.each([text, `\n ${text}\r\n`, JSON.stringify(response, null, 2)])('is taken as it is: %#', (answer) => {
    const expected = { ...found, response };
    expect([loose(answer), exact(answer)]).toEqual([expected, expected]);
  });

  test('may have further fields, as of an agent that is newer [R110]', () => {
    const more = { ...response, mood: 'good', nested: { action: 'STUCK' } };
    expect(loose(JSON.stringify(more))).toEqual({ ...found, response: more });
  });
});

describe('text around the object', () => {
  const cases: [what: string, answer: string, violation: string][] = [
    ['before it', `Here: ${text}`, 'stood in other text (6 characters before it, 0 behind it)'],
    ['behind it', `${text} Done!`, 'stood in other text (0 characters before it, 6 behind it)'],
    ['a list', `[${text}]`, 'stood in other text (1 characters before it, 1 behind it)'],
    ['a byte order mark', `\ufeff${text}`, 'stood in other text (1 characters before it, 0 behind it)'],
    ['half a character', `\ud800 ${text}`, 'stood in other text (2 characters before it, 0 behind it)'],
    ['a block', `${FENCE}json\n${text}\n${FENCE}`, 'stood in a fenced block (8 characters before it, 4 behind it)'],
    [
      'a plain block',
      `${FENCE}\r\n${text}\r\n${FENCE}`,
      'stood in a fenced block (5 characters before it, 5 behind it)',
    ],
    ['code', `f = () => { go(); }; ${text}`, 'stood in other text (21 characters before it, 0 behind it)'],
    ['an open brace', `a { b ${text}`, 'stood in other text (6 characters before it, 0 behind it)'],
    [
      'a block of code',
      `${FENCE}ts\n{ a }\n${FENCE}\n${text}`,
      'stood in other text (16 characters before it, 0 behind it)',
    ],
    [
      'the beginning of an object, then a block',
      `It starts with {"version": 2\n${FENCE}json\n${text}\n${FENCE}`,
      'stood in a fenced block (37 characters before it, 4 behind it)',
    ],
  ];

  test.each(cases)('of an agent is a violation: %s [R098]', (_, answer, violation) => {
    expect(loose(answer)).toEqual({ ...found, violation: `the JSON object ${violation}` });
  });

  test.each(cases)('of a person is a fault: %s', (_, answer) => {
    expect(exact(answer)).toMatchObject({ response: null, fault: { kind: 'schema' }, violation: null });
  });

  test('is found whatever the summary holds', () => {
    const strange = { ...response, summary_for_supervisor: `"} \\ { ${FENCE}json {"a": "\\` };
    expect(loose(`So: ${JSON.stringify(strange)}.`)).toMatchObject({ response: strange, fault: null });
  });

  test('without braces never hides a valid response', () => {
    const prose = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom(FENCE, 'json', '\n', '"', '\\', '[', ']', ',', ' ', '\ufeff', '\ud800', 'ä'))
        .map((parts) => parts.join('')),
    );
    const clean = prose.map((words) => words.replace(/[{}]/g, ''));
    const summary = fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }).filter((words) => /\w/.test(words));
    const any = fc.record({
      action: fc.constantFrom('COMPLETED' as const, 'STUCK' as const, 'RETRY' as const),
      evidence_files: fc.array(fc.constantFrom('a.ts', 'src/{b}.ts', 'c "d".md')),
      summary_for_supervisor: summary.filter((words) => !words.includes('\0')),
    });
    fc.assert(
      fc.property(clean, any, clean, fc.constantFrom(0, 2), (before, given, after, indent) => {
        const read = loose(before + JSON.stringify(given, null, indent) + after);
        expect(read).toMatchObject({ response: given, fault: null });
        expect(read.violation === null).toBe(/^[ \t\r\n]*$/.test(before + after));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('two objects are a schema violation everywhere [R097]', () => {
  const reason = 'the answer holds more than one JSON object';
  test.each([
    text + text,
    `${text}\n${text}`,
    `{} ${text}`,
    `[${text},${text}]`,
    `first ${text} then ${text} last`,
    `${FENCE}json\n${text}\n${FENCE}\n${FENCE}json\n${text}\n${FENCE}`,
    `${FENCE}json\n${text}\n${text}\n${FENCE}`,
    `${text}\n${FENCE}\n${text}\n${FENCE}`,
    `${FENCE}\n${text}\n${FENCE}\n${text}`,
    `${FENCE}ts\n${text}\n${FENCE}\n${FENCE}json\n${text}\n${FENCE}`,
  ])('%#', (answer) => {
    expect(loose(answer)).toEqual(faulty('schema', reason));
    expect(exact(answer)).toMatchObject({ response: null, fault: { kind: 'schema' } });
  });
});

describe('an answer that cannot be read', () => {
  const NOTHING = 'the answer holds no JSON object';
  const cases: [answer: string, reason: string][] = [
    ['', NOTHING],
    [' \n', NOTHING],
    ['I am done.', NOTHING],
    ['NaN', NOTHING],
    ['null', NOTHING],
    ['[]', NOTHING],
    [JSON.stringify(text), NOTHING],
    [text.slice(0, -1), 'the answer ends inside a JSON object'],
    [`so {"a": "${text}`, 'the answer ends inside a JSON object'],
    [text.replace(/}$/, ',"action":"STUCK"}'), 'the key "action" stands twice (line 1, column 107)'],
    [text.replace(/}$/, ',"__proto__":{}}'), 'the key "__proto__" is not allowed (line 1, column 107)'],
    [text.replace(/}$/, ',"x":NaN}'), 'expected a JSON value but found "N" (line 1, column 111)'],
    [text.replace(/}$/, ',"x":1e999}'), 'the number 1e999 cannot be kept exactly (line 1, column 111)'],
    [text.replace('works', '\ud800'), 'a string holds half a character (line 1, column 82)'],
    [text.replace('works', '\\ud800'), 'a string holds half a character (line 1, column 82)'],
    [
      text.replace(/}$/, `,"x":${'['.repeat(64)}${']'.repeat(64)}}`),
      'the value is nested deeper than 64 (line 1, column 174)',
    ],
  ];

  test.each(cases)('is a schema violation that says why: %j', (answer, reason) => {
    expect(loose(answer)).toEqual(faulty('schema', reason));
    expect(exact(answer)).toMatchObject({ response: null, fault: { kind: 'schema' }, violation: null });
  });

  test('inside other text still has that text as a violation', () => {
    expect(loose(`So: ${text.replace(/}$/, ',"action":"STUCK"}')}`)).toMatchObject({
      fault: { kind: 'schema', reason: 'the key "action" stands twice (line 1, column 107)' },
      violation: 'the JSON object stood in other text (4 characters before it, 0 behind it)',
    });
  });

  test('because it is 50 MB is refused for its size, at once', () => {
    const bytes = 50_000_000;
    const reason = `the answer has ${bytes} bytes; at most 2097152 are read`;
    const from = performance.now();
    for (const part of ['{', '{"', '{}', '{ ', 'x', '`', '"']) {
      const answer = part.repeat(bytes / part.length);
      expect([loose(answer), exact(answer)]).toEqual([faulty('schema', reason), faulty('schema', reason)]);
    }
    expect(performance.now() - from).toBeLessThan(5_000);
  });

  test.each(['{', '{"', '{"a":', '{ ', '{\n', '`', '```\n', '```json\n{', '```x\n', '"', '\\', '{"\\', '[', ' ', '\n'])(
    'takes no longer for 2 MB of %j than reading takes',
    (part) => {
      const answer = part.repeat(2_000_000 / part.length);
      const from = performance.now();
      expect(loose(answer)).toMatchObject({ fault: { kind: 'schema' } });
      expect(performance.now() - from).toBeLessThan(1_000);
    },
  );
});

describe('a readable object that is no response', () => {
  const { action: _, ...withoutAction } = response;
  const { summary_for_supervisor: __, ...withoutSummary } = response;
  const { evidence_files: ___, ...withoutEvidence } = response;
  const cases: [kind: string, answer: string, reason: string][] = [
    ['action', JSON.stringify(withoutAction), '/action is missing'],
    ['action', '{}', '/action is missing'],
    ['action', changed({ action: 'completed' }), '/action must be one of "COMPLETED", "STUCK", "RETRY"'],
    ['action', changed({ action: ' STUCK' }), '/action must be one of "COMPLETED", "STUCK", "RETRY"'],
    ['action', changed({ action: 'DONE' }), '/action must be one of "COMPLETED", "STUCK", "RETRY"'],
    ['action', changed({ action: ['RETRY'] }), '/action must be string'],
    ['action', changed({ action: null }), '/action must be string'],
    ['summary', JSON.stringify(withoutSummary), '/summary_for_supervisor is missing'],
    ['summary', changed({ summary_for_supervisor: '' }), '/summary_for_supervisor is blank'],
    ['summary', changed({ summary_for_supervisor: ' \n\u00a0' }), '/summary_for_supervisor is blank'],
    ['schema', changed({ summary_for_supervisor: 7 }), '/summary_for_supervisor must be string'],
    [
      'schema',
      changed({ summary_for_supervisor: 'a'.repeat(501) }),
      '/summary_for_supervisor is longer than 500 characters',
    ],
    ['schema', JSON.stringify(withoutEvidence), '/evidence_files is missing'],
    ['schema', changed({ evidence_files: 'a.ts' }), '/evidence_files must be array'],
    ['schema', changed({ evidence_files: [1] }), '/evidence_files/0 must be string'],
    ['path', changed({ evidence_files: ['a.ts', '../b'] }), '/evidence_files/1 leads upwards with ..: "../b"'],
    ['path', changed({ evidence_files: ['/etc/passwd'] }), '/evidence_files/0 is absolute: "/etc/passwd"'],
    ['path', changed({ evidence_files: ['.git/config'] }), '/evidence_files/0 leads into control files: ".git/config"'],
  ];

  test.each(cases)('has a fault of kind %s: %j [R036, R037, R039]', (kind, answer, reason) => {
    expect([loose(answer), exact(answer)]).toEqual([faulty(kind, reason), faulty(kind, reason)]);
  });
});

describe('a summary', () => {
  test.each([
    ['One. Two. Three.', 0],
    ['It reads src/a.ts, e.g. with v1.2.3, i.e. the new one. It works!', 0],
    ['a'.repeat(500), 0],
    ['One. Two! Three? Four', 4],
    ['(One.) "Two." Three. Four. Five.', 5],
    ['一。二。三。四。', 4],
  ])('of %j is counted [R101]', (summary_for_supervisor, sentences) => {
    const warnings = sentences ? [`the summary has ${sentences} sentences; two or three are agreed`] : [];
    expect(loose(changed({ summary_for_supervisor }))).toMatchObject({ fault: null, warnings });
  });
});

describe('what an agent says it used', () => {
  const said = (x_usage: unknown) => loose(changed({ x_usage }));
  const usage = (inputTokens: number, outputTokens: number, costMicroUsd: number) => {
    return { inputTokens, outputTokens, costMicroUsd };
  };

  test('is taken in micro-USD', () => {
    const x_usage = { input_tokens: 18234, output_tokens: 2210, cost_usd: 0.0874, model: 'm' };
    expect(said(x_usage)).toMatchObject({ reported: usage(18234, 2210, 87_400), warnings: [] });
    expect(said({ cost_usd: 0.0000014 })).toMatchObject({ reported: usage(0, 0, 1), warnings: [] });
  });

  test.each([[undefined], [null], [{}], [{ model: 'm' }], [{ input_tokens: 0 }]])('may be nothing: %j', (x_usage) => {
    expect(said(x_usage)).toMatchObject({ response: {}, reported: null, warnings: [] });
  });

  test('is read from an answer with a fault too', () => {
    expect(loose(changed({ action: 'DONE', x_usage: { input_tokens: 5 } }))).toMatchObject({
      fault: { kind: 'action' },
      reported: usage(5, 0, 0),
    });
  });

  test.each<[unknown, object | null, string]>([
    ['much', null, 'x_usage is not an object'],
    [[1], null, 'x_usage is not an object'],
    [
      { input_tokens: '5', output_tokens: 3 },
      usage(0, 3, 0),
      'x_usage.input_tokens is not a number from 0 up and was left out',
    ],
    [{ output_tokens: -1 }, null, 'x_usage.output_tokens is not a number from 0 up and was left out'],
    [{ cost_usd: 1e300 }, usage(0, 0, 1e12), 'x_usage.cost_usd is above 1000000 and was cut to it'],
    [{ input_tokens: 1e15 }, usage(1e10, 0, 0), 'x_usage.input_tokens is above 10000000000 and was cut to it'],
    [{ input_tokens: 1, model: 7 }, usage(1, 0, 0), 'x_usage.model is not a text'],
  ])('as garbage is a warning and no fault: %j', (x_usage, reported, warning) => {
    expect(said(x_usage)).toMatchObject({ fault: null, response: {}, reported, warnings: [warning] });
  });
});
