import { expect, test } from 'vitest';
import { wireEvent } from './wire-event.js';

test('a body that is no JSON hides its own fields alone', async () => {
  const end = { said: { sha256: 'a', bytes: 1 }, output: { words: '' }, success: true, isDenied: false, activeMs: 1 };
  const data = JSON.stringify({ id: 's1', call: 'call-1', kind: 'mcp', end });
  const body = async () => new TextEncoder().encode('{"result": "[secret]ken"');
  expect(await wireEvent({ seq: 1, type: 'CallEnded', data }, { session: 's', body })).toEqual({
    ...{ id: 's1', seq: 1 },
    msg: { type: 'mcp_tool_call_end', success: false, call_id: 'call-1' },
  });
});
