import { describe, expect, test } from 'vitest';
import { stageExecution } from '../contracts/envelope/stage-execution.js';
import type { PlanStep } from '../contracts/generated/types/stage-plan.js';
import { check } from '../contracts/shared/contract.js';
import { OUTPUT_BYTES_MAX } from './fit-output.js';
import { runSteps } from './run-steps.js';
import { type Evidence, failure, type Params, type Risk, type Tool, type ToolEnd } from './tool.js';
import type { Toolbox } from './toolbox.js';

const PLACE: Evidence = { location: 'a.ts:1', content: 'x', relevance: 'holds x' };
const done = (result: unknown, evidence: Evidence[] = []): ToolEnd => ({ result, evidence });
const ran: { tool: string; params: Params }[] = [];

function tool(name: string, risk: Risk, end: (params: Params) => ToolEnd): Tool {
  const run = async (params: Params): Promise<ToolEnd> => {
    ran.push({ tool: name, params });
    return end(params);
  };
  return { name, risk, description: '', run };
}

const TOOLS: readonly Tool[] = [
  tool('look', 'read_only', () => done({ found: 1 }, [PLACE])),
  tool('nothing', 'read_only', () => done(undefined)),
  tool('large', 'read_only', ({ bytes }) => done('x'.repeat(Number(bytes)))),
  tool('places', 'read_only', () => done(null, Array(20_000).fill(PLACE))),
  tool('stumble', 'read_only', () => ({ failure: failure('ToolError', 'later perhaps') })),
  tool('fall', 'read_only', () => ({ failure: failure('PathRefused', 'never') })),
  tool('change', 'write', () => done('changed')),
  tool('destroy', 'destructive', () => done('destroyed')),
];
const toolbox: Toolbox = {
  find: (name) => TOOLS.find((one) => one.name === name),
  riskOf: (name) => TOOLS.find((one) => one.name === name)?.risk,
  all: () => TOOLS,
};

async function run(
  steps: readonly PlanStep[],
  confirmed: string | null = null,
  allowed = TOOLS.map(({ name }) => name),
) {
  ran.length = 0;
  let nowMs = 0;
  const clock = { monotonicMs: () => (nowMs += 7) };
  const around = {
    folder: null,
    signal: AbortSignal.timeout(60_000),
    held: { run: 'env-1', epoch: 1 },
    key: 'execution-1',
  };
  const end = await runSteps(steps, { ...around, toolbox, allowed, clock, confirmed });
  if ('output' in end) expect(check(stageExecution, end.output)).toMatchObject({ allow: true });
  return end;
}

const steps = (...names: string[]): PlanStep[] => names.map((name) => ({ tool: name }));
const LATER = { error_type: 'ToolError', message: 'later perhaps', recoverable: true };
const NEVER = { error_type: 'PathRefused', message: 'never', recoverable: false };

describe('the steps of a plan', () => {
  test('[R312] run in order, each with its result, its time and its evidence', async () => {
    expect(await run([{ tool: 'look', params: { q: 1 } }, { tool: 'nothing' }])).toEqual({
      output: {
        status: 'success',
        results: [
          { step_index: 0, tool: 'look', result: { found: 1 }, duration_ms: 7 },
          { step_index: 1, tool: 'nothing', result: null, duration_ms: 7 },
        ],
        evidence: [PLACE],
      },
      failures: [],
      end: null,
    });
    expect(ran).toEqual([
      { tool: 'look', params: { q: 1 } },
      { tool: 'nothing', params: {} },
    ]);
  });

  test('of which there are none are a success', async () => {
    expect(await run([])).toEqual({
      output: { status: 'success', results: [], evidence: [] },
      failures: [],
      end: null,
    });
  });

  test('go on after a failure that can be recovered from: partial', async () => {
    expect(await run(steps('stumble', 'look'))).toEqual({
      output: {
        status: 'partial',
        results: [
          { step_index: 0, tool: 'stumble', result: { error: LATER }, duration_ms: 7 },
          { step_index: 1, tool: 'look', result: { found: 1 }, duration_ms: 7 },
        ],
        evidence: [PLACE],
      },
      failures: [{ ...LATER, step_index: 0, tool: 'stumble' }],
      end: null,
    });
  });

  test('that all fail so end recoverably: error', async () => {
    const end = await run(steps('stumble', 'stumble'));
    expect(end).toMatchObject({ output: { status: 'error' }, end: 'tool_failed_recoverably', failures: { length: 2 } });
  });

  test('stop at a failure that is for good: error', async () => {
    const end = await run(steps('look', 'fall', 'look'));
    expect(end).toMatchObject({
      output: { status: 'error', results: { length: 2 } },
      failures: [{ ...NEVER, step_index: 1, tool: 'fall' }],
      end: 'tool_failed_fatally',
    });
    expect(ran).toHaveLength(2);
  });
});

describe('steps', () => {
  test.each([
    ['that nobody knows', 'constructor', ['constructor'], 'there is no tool constructor'],
    ['that the stage may not use', 'look', ['large'], 'the tool look may not be used here; these may: large'],
    ['where the stage may use none', 'look', [], 'the tool look may not be used here; these may: none'],
  ])('with a tool %s stop there', async (_, name, allowed, message) => {
    const end = await run(steps(name, 'look'), null, allowed);
    expect(end).toMatchObject({
      output: { status: 'error', results: { length: 1 } },
      failures: [{ error_type: 'ToolNotFound', recoverable: false, message, step_index: 0 }],
      end: 'tool_failed_fatally',
    });
  });

  test('are not begun when they are aborted', async () => {
    const around = { folder: null, signal: AbortSignal.abort(), held: { run: 'r', epoch: 1 }, key: 'k' };
    const options = { toolbox, allowed: ['look'], clock: { monotonicMs: () => 0 }, confirmed: null };
    ran.length = 0;
    await expect(runSteps(steps('look'), { ...around, ...options })).rejects.toThrow();
    expect(ran).toEqual([]);
  });
});

describe('steps that do more than look', () => {
  const RISKY: PlanStep[] = [
    { tool: 'look' },
    { tool: 'change', params: { row: 7, to: 'x' } },
    { tool: 'destroy', params: { table: 'users' } },
    { tool: 'destroy' },
  ];

  async function asked(of: readonly PlanStep[], confirmed: string | null = null) {
    const end = await run(of, confirmed);
    if (!('needsConfirmation' in end)) throw new Error('nothing was asked');
    expect(ran).toEqual([]);
    return end.needsConfirmation;
  }

  test('are asked for before the first one runs, the worst first', async () => {
    expect(await asked(RISKY)).toEqual({
      message:
        'Run 2 steps that destroy things: destroy {table: "users"}; destroy, and 1 step that changes things: change {row: 7, to: "x"}?',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      steps: [
        { step_index: 2, tool: 'destroy', params: { table: 'users' } },
        { step_index: 3, tool: 'destroy', params: {} },
        { step_index: 1, tool: 'change', params: { row: 7, to: 'x' } },
      ],
    });
  });

  test('run when exactly they were agreed to, however their keys are ordered', async () => {
    const { hash } = await asked(RISKY);
    expect(await run(RISKY, hash)).toMatchObject({ output: { status: 'success', results: { length: 4 } } });
    const reordered = RISKY.map((step) => ({
      ...step,
      ...(step.params && { params: Object.fromEntries(Object.entries(step.params).reverse()) }),
      expected_output: 'whatever',
    }));
    expect(await run(reordered, hash)).toMatchObject({ output: { status: 'success' } });
  });

  test.each<[string, PlanStep[]]>([
    ['another value', RISKY.with(2, { tool: 'destroy', params: { table: 'orders' } })],
    ['another kind of value', RISKY.with(1, { tool: 'change', params: { row: '7', to: 'x' } })],
    ['another order', RISKY.toReversed()],
    ['one more step', [...RISKY, { tool: 'look' }]],
    ['one step less', RISKY.slice(1)],
  ])('are asked for again with %s', async (_, others) => {
    const { hash } = await asked(RISKY);
    expect((await asked(others, hash)).hash).not.toBe(hash);
  });

  test('that the stage may not use are not asked for', async () => {
    expect(await run(steps('destroy'), null, ['look'])).toMatchObject({ end: 'tool_failed_fatally' });
    expect(ran).toEqual([]);
  });

  test('are shown as they are, whatever their parameters hold', async () => {
    const odd = { 'a\u202eb': 'x\u001b[2J\u{e0041}', long: 'y'.repeat(5_000) };
    const { message } = await asked([{ tool: 'destroy', params: odd }]);
    expect(message).toMatch(
      /^Run 1 step that destroys things: destroy \{a\\u\{202e\}b: "x\\u001b\[2J\\u\{e0041\}", long: "y+…\}\?$/,
    );
    expect((await asked(Array(100).fill({ tool: 'destroy', params: odd }))).message.length).toBeLessThanOrEqual(2_001);
  });
});

describe('an output that is too large', () => {
  const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

  test('is shortened from its largest result on, and says so', async () => {
    const end = await run([
      { tool: 'large', params: { bytes: 1_000 } },
      { tool: 'large', params: { bytes: 600_000 } },
      { tool: 'large', params: { bytes: 300_000 } },
    ]);
    if (!('output' in end)) throw new Error('it was not run');
    const [small, largest, large] = end.output.results.map(({ result }) => result);
    expect(small).toBe('x'.repeat(1_000));
    expect(largest).toEqual({ truncated: true, left_out_bytes: 598_002, beginning: 'x'.repeat(2_000) });
    expect(large).toBe('x'.repeat(300_000));
    expect(bytesOf(end.output)).toBeLessThanOrEqual(OUTPUT_BYTES_MAX);
  });

  test('loses its last evidence when results are not what is large', async () => {
    const end = await run(steps('look', 'places'));
    if (!('output' in end)) throw new Error('it was not run');
    expect(bytesOf(end.output)).toBeLessThanOrEqual(OUTPUT_BYTES_MAX);
    expect(end.output.evidence?.length).toBeGreaterThan(5_000);
    expect(end.output.results[0]?.result).toEqual({ found: 1 });
  });
});
