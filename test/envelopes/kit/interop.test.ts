import { expect, test } from 'vitest';
import { ServerStage } from '../../server/server-stage.js';
import { runExample, SAID } from './interop.js';
import { pairText } from './kit-case.js';

test('the example in Python speaks to the program and to the server [R289] [R290] [R292]', {
  timeout: 120_000,
}, async () => {
  const { code, out, err } = await runExample('python');
  expect({ code, err, said: out.trimEnd().split('\n') }).toEqual({ code: 0, err: '', said: SAID });
});

test('the call of the document needs a token, and no key for sending it again [R291]', async () => {
  const stage = await ServerStage.start();
  const body = { ...JSON.parse(pairText('whole-run.in.json')), terminated: true };
  const without = await stage.ask('POST', '/api/v1/process', { body, token: null });
  expect([without.status, without.json.code]).toEqual([401, 'UNAUTHENTICATED']);
  const answers = [
    await stage.ask('POST', '/api/v1/process', { body }),
    await stage.ask('POST', '/api/v1/process', { body }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.json).toEqual(answers[1]?.json);
});
