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
  expect([without.status, without.json]).toEqual([401, refusalOf('UNAUTHENTICATED')]);
  const answers = [
    await stage.ask('POST', '/api/v1/process', { body }),
    await stage.ask('POST', '/api/v1/process', { body }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.json).toEqual(answers[1]?.json);
});

test('every refusal over HTTP says error and message, whoever refuses', async () => {
  const stage = await ServerStage.start();
  const post = (where: string, body: unknown, headers = {}) => stage.ask('POST', where, { body, headers });
  const refusals = [
    await post('/api/v1/process?mode=fast', {}),
    await post('/api/v1/process', {}),
    await post('/api/v1/process', {}, { 'content-type': 'text/plain' }),
  ];
  expect(refusals.map(({ status, json }) => [status, json])).toEqual([
    [400, refusalOf('USAGE')],
    [422, refusalOf('MISSING_REQUIRED_INPUT')],
    [415, refusalOf('UNSUPPORTED_MEDIA')],
  ]);
  expect((await post('/api/v1/inbox/1/answer', {})).json).not.toHaveProperty('error');
});

function refusalOf(code: string) {
  return expect.objectContaining({ allow: false, code, error: true, message: expect.any(String) });
}
