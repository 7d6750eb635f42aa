import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { builtInSpec } from '../agent-spec.js';
import { prepareGemini } from './gemini.js';
import type { Preparing } from './known-acp.js';

test('with a key it has a folder of its own, without one its own login', () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'baton-gemini-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const state = path.join(home, 'state');
  const spec = builtInSpec('gemini') as Preparing['spec'];
  const at = { spec, ways: [], state, workspace: home, asks: false };
  const withKey = { HOME: home, GEMINI_API_KEY: 'k' };
  expect(prepareGemini({ ...at, environment: { HOME: home } })).toEqual({ env: {}, writable: [] });
  mkdirSync(path.join(home, '.gemini'));
  const own = { env: {}, writable: [path.join(home, '.gemini')] };
  expect(prepareGemini({ ...at, environment: { HOME: home } })).toEqual(own);
  expect(prepareGemini({ ...at, spec: { ...spec, login: 'own' }, environment: withKey })).toEqual(own);
  expect(existsSync(state)).toBe(false);
  const apart = { env: { GEMINI_CLI_HOME: state }, writable: [state] };
  expect(prepareGemini({ ...at, environment: withKey })).toEqual(apart);
  expect(existsSync(state)).toBe(true);
});
