import { expect, test } from 'vitest';
import { readModelScenario } from './read-model-scenario.js';

const withStep = (step: object) => JSON.stringify({ turns: [{ steps: [step] }] });
const withFault = (fault: object) => withStep({ fault });

test('a scenario with all there is is read', () => {
  const scenario = {
    models: ['a'],
    turns: [
      {
        when: { prompt: 'x', model: 'a' },
        steps: [
          {
            reasoning: 'r',
            sealed_reasoning: 's',
            text: 't',
            tool_calls: [
              { name: 'shell', namespace: 'tools', arguments: { command: ['ls'] } },
              { name: 'patch', input: 'x' },
            ],
            usage: { input: 1, cached_input: 1, output: 1, reasoning: 1 },
            delay_ms: 1,
            delta_delay_ms: 1,
            delta_chars: 1,
            write_bytes: 1,
            fault: {
              kind: 'status',
              status: 429,
              retry_after_s: 2,
              type: 'x',
              message: 'y',
              headers: { a: 'b' },
              retries_below: 1,
            },
          },
          { fault: { kind: 'endless', after_deltas: 1 } },
          { fault: { kind: 'error-event', after_deltas: 1, type: 'x', message: 'y' } },
          { fault: { kind: 'no-end' } },
          { fault: { kind: 'incomplete' } },
          { fault: { kind: 'no-id' } },
          { fault: { kind: 'wrong-usage', report: { input: 'many' } } },
        ],
      },
    ],
  };
  expect(readModelScenario(JSON.stringify(scenario))).toEqual({ scenario });
});

test.each([
  ['', 'the input is empty'],
  ['[]', '/ is not an object'],
  ['{}', '/turns is not there'],
  ['{"turns":{}}', '/turns is not an array'],
  ['{"turns":[{}]}', '/turns/0/steps is not there'],
  ['{"turns":[],"turn":[]}', '/turn is not known'],
  [withStep({ txt: 'x' }), '/turns/0/steps/0/txt is not known'],
  [withStep({ text: 5 }), '/turns/0/steps/0/text is not a text'],
  [withStep({ delta_chars: 0 }), '/turns/0/steps/0/delta_chars is not a whole number from 1'],
  [withStep({ tool_calls: [{ name: 'x' }] }), '/turns/0/steps/0/tool_calls/0/arguments is not there'],
  [withStep({ tool_calls: [{ name: 'x', input: 5 }] }), '/turns/0/steps/0/tool_calls/0/input is not a text'],
  [withStep({ tool_calls: [{ name: 'x', input: 'a', arguments: {} }] }), '/tool_calls/0/arguments is not known'],
  [withFault({ kind: 'endless' }), '/turns/0/steps/0/fault/after_deltas is not there'],
  [withFault({ kind: 'boom' }), '/turns/0/steps/0/fault/kind is none of status, redirect'],
  [withFault({ kind: 'constructor' }), '/turns/0/steps/0/fault/kind is none of'],
  [withFault({ kind: 'cut' }), '/turns/0/steps/0/fault/after_deltas is not there'],
  [withFault({ kind: 'status', status: 200 }), '/turns/0/steps/0/fault/status is not a whole number from 400'],
  [withFault({ kind: 'hang', after_deltas: 1, location: 'x' }), '/turns/0/steps/0/fault/location is not known'],
])('the scenario %s is refused', (text, problem) => {
  expect(readModelScenario(text)).toEqual({ problem: expect.stringContaining(problem) });
});
