import { expect, test } from 'vitest';
import { shortenThread } from './shorten-thread.js';

test('an output goes with the call that was left out', () => {
  const items = [
    { type: 'function_call', call_id: 'c1', name: 'x', arguments: 'z'.repeat(50_000) },
    { type: 'function_call_output', call_id: 'c1', output: 'one' },
    { role: 'user', content: 'b' },
  ];
  const shortened = shortenThread(items, 5_000);
  expect(shortened.slice(1)).toEqual(items.slice(2));
  expect(JSON.stringify(shortened[0])).toContain('left out');
});

test('an output goes with the call that was left out, also where a later call has the same name', () => {
  const call = (given: string) => ({ type: 'function_call', call_id: 'none-0', name: 'x', arguments: given });
  const output = (text: string) => ({ type: 'function_call_output', call_id: 'none-0', output: text });
  const kept = [call('{}'), output('second'), { role: 'user', content: 'b' }];
  const items = [call('z'.repeat(50_000)), output('first'), ...kept];
  expect(shortenThread(items, 5_000).slice(1)).toEqual(kept);
});

test('what was refused is shortened whatever our own guess says, and the more the harder it is', () => {
  const says = (role: string, text: string) => {
    const type = role === 'user' ? 'input_text' : 'output_text';
    return { type: 'message', role, content: [{ type, text }] };
  };
  const items = [
    ...[says('user', 'one'), says('assistant', '字'.repeat(4_000)), says('user', '字'.repeat(8_000))],
    { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] },
    says('user', 'last'),
  ];
  expect(shortenThread(items, 100_000)).toBe(items);
  const lengths = [1, 2, 3].map((harder) => JSON.stringify(shortenThread(items, 100_000, harder)).length);
  const whole = JSON.stringify(items).length;
  expect(lengths[0]).toBeLessThan(whole / 2);
  expect(lengths[1]).toBeLessThan(whole / 8);
  expect(lengths[2]).toBeLessThan(lengths[1] ?? 0);
  const text = JSON.stringify(shortenThread(items, 100_000, 1));
  expect(text).toMatch(/"one".*"字+… \[\d+ characters are left out here\]".*A picture is left out here.*"last"/);
});

test('a picture counts as little as it costs', () => {
  const image_url = `data:image/png;base64,${'A'.repeat(500_000)}`;
  const items = [{ type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_image', image_url }] }];
  expect(shortenThread(items, 5_000)).toBe(items);
});
