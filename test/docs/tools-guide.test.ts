import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { config } from '../../src/contracts/baton/config.js';
import { BUILT_IN_TOOLS } from '../../src/contracts/baton/tool-rules.js';
import { stagePlan } from '../../src/contracts/envelope/stage-plan.js';
import type { PlanOutput } from '../../src/contracts/generated/types/stage-plan.js';
import { schemas } from '../../src/contracts/generated/validators/schemas.js';
import { check } from '../../src/contracts/shared/contract.js';
import { SYMBOL_KINDS } from '../../src/tools/built-in/symbol-patterns.js';
import { confirmationOf } from '../../src/tools/confirmation.js';
import { toolSpec } from '../../src/tools/registered/tool-spec.js';

const PAGE = readFileSync(path.join(import.meta.dirname, '../../docs/guides/tools.md'), 'utf8');
const [STEP = '', CONFIG = ''] = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text ?? '');
const rowsUnder = (heading: string): string[] => {
  const [, table = ''] = PAGE.split(`\n| ${heading} |`);
  return [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name ?? '');
};

test('the step it shows is one, and the tools it registers can be', () => {
  const plan: PlanOutput = { plan_id: 'p', steps: [JSON.parse(STEP)] };
  expect(check(stagePlan, plan)).toMatchObject({ allow: true });
  const { tools } = JSON.parse(CONFIG);
  expect(check(config, { tools })).toMatchObject({ allow: true });
  expect(Object.entries(tools).map(([name, tool]) => toolSpec(name, tool as never).type)).toEqual([
    'command',
    'http',
    'mcp',
    'mcp',
  ]);
});

test('its question is the one that is asked for such steps', () => {
  const { tools } = JSON.parse(CONFIG);
  const steps = [
    { tool: 'tickets.create', params: { title: 'Users are gone' } },
    { tool: 'delete_rows', params: { table: 'users' } },
  ];
  expect(PAGE).toContain(`\n${confirmationOf(steps, (name) => tools[name].risk)?.message}\n`);
});

test('its tables have every built-in tool and every field of a registered one', () => {
  expect(rowsUnder('tool')).toEqual([...BUILT_IN_TOOLS]);
  const { definitions } = schemas.config as { definitions: { RegisteredTool: { properties: object } } };
  expect(rowsUnder('field').sort()).toEqual(Object.keys(definitions.RegisteredTool.properties).sort());
  for (const kind of SYMBOL_KINDS) expect(PAGE).toContain(`\`${kind}\``);
});
