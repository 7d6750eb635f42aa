import { expect, test } from 'vitest';
import { runBaton, sessionScene, startBaton } from './session-scene.js';

test('told to end, it says that the task has not ended and how it goes on', async () => {
  const scene = await sessionScene();
  const started = startBaton(scene, ['exec', 'wait']);
  await started.said('$ sh -c');
  started.kill('SIGTERM');
  const { code, err } = await started.ran;
  expect(code).toBe(130);
  expect(err).toMatch(/sleep 60'\nTold to end \(SIGTERM\)\. .*\n {2}it goes on: baton exec --resume parcel-\w+\n$/);
});

test('a provider that nobody knows is told how to be made known, which helps', async () => {
  const scene = await sessionScene();
  const refused = await runBaton(scene, ['exec', 'greet me', '--provider', 'nobody']);
  expect(refused.code).toBe(1);
  const [, words = ''] = /baton (agent register nobody .*) URL\./.exec(refused.err) ?? [];
  const url = scene.env.OPENAI_BASE_URL ?? '';
  expect(await runBaton(scene, [...words.replace('NAME', 'small').split(' '), url])).toMatchObject({ code: 0 });
  expect(await runBaton(scene, ['exec', 'greet me', '--provider', 'nobody'])).toMatchObject({ code: 0 });
});

test('a folder that is not there is named', async () => {
  const { err } = await runBaton(await sessionScene(), ['exec', 'greet me', '--cwd', '/nowhere/at/all']);
  expect(err).toBe(
    'Refused: there is no folder /nowhere/at/all. INPUT_UNREADABLE\n  Make that folder, or name another one with --cwd.\n',
  );
});

test('what joins emoji stays between them, and nowhere else', async () => {
  const scene = await sessionScene({
    turns: [
      {
        when: { prompt: 'family' },
        steps: [{ text: 'a \u{1f468}\u200d\u{1f469}\u200d\u{1f467} b\u200dc', delta_chars: 1 }],
      },
    ],
  });
  const { out } = await runBaton(scene, ['exec', 'family']);
  expect(out).toBe('a \u{1f468}\u200d\u{1f469}\u200d\u{1f467} b\ufffdc\n');
});

test('a failure of the model is said once, whole, with the address, and when it can be tried again', async () => {
  const message = 'You have used up what your plan allows for this hour, all of it, and even a little more.';
  const scene = await sessionScene({
    turns: [{ steps: [{ fault: { kind: 'status', status: 429, retry_after_s: 600, type: 'rate_limit', message } }] }],
  });
  const { code, err } = await runBaton(scene, ['exec', 'greet me']);
  const words = err.replaceAll(/\s+/g, ' ');
  expect(code).toBe(1);
  expect(words).toContain(`Failed: ${scene.env.OPENAI_BASE_URL}: 429 rate_limit ${message}`);
  expect(words.match(/even a little more/g)).toHaveLength(1);
  expect(words).not.toContain('the agent');
  expect(words).toMatch(/can be asked again at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
});

test('without a key it is said which variable to set, and that the process is to be started anew', async () => {
  const scene = await sessionScene();
  const { OPENAI_API_KEY: _, ...env } = scene.env;
  const { code, err } = await runBaton({ ...scene, env }, ['exec', 'greet me']);
  const words = err.replaceAll(/\s+/g, ' ');
  expect(code).toBe(1);
  expect(words).toContain('OPENAI_API_KEY is not set. MODEL_FAILED Set the key where Baton is started');
  expect(words).toContain('start that process anew');
});

test('an address where nobody answers is named', async () => {
  const scene = await sessionScene();
  const env = { ...scene.env, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  const started = startBaton({ ...scene, env }, ['exec', 'greet me']);
  expect(await started.said('try 2')).toMatch(/http:\/\/127\.0\.0\.1:9\/v1\s+cannot\s+be\s+reached/);
  started.kill('SIGTERM');
  await started.ran;
});
