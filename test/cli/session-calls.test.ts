import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventsIn, runBaton, sessionScene } from './session-scene.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PATCH = '*** Begin Patch\n*** Update File: nowhere.txt\n@@\n-a\n+b\n*** End Patch\n';

const CALLS = {
  turns: [
    {
      when: { prompt: 'try' },
      steps: [
        {
          tool_calls: [
            { name: 'apply_patch', arguments: { input: PATCH } },
            { name: 'view_image', arguments: { path: 'missing.png' } },
            { name: 'view_image', arguments: { path: 'pixel.png' } },
            { name: 'teleport', arguments: {} },
            { name: 'update_plan', arguments: { plan: [{ step: 'Try', status: 'completed' }] } },
            { name: 'exec_command', arguments: { command: ['touch', 'x'], with_escalated_permissions: true } },
          ],
        },
        { text: 'It was tried.' },
      ],
    },
  ],
};

test('calls that are answered at once are shown, those that failed with their reason', async () => {
  const scene = await sessionScene(CALLS);
  writeFileSync(path.join(scene.folder, 'pixel.png'), Buffer.from(PIXEL, 'base64'));
  const { code, err } = await runBaton(scene, ['exec', 'try']);
  expect(code).toBe(0);
  expect(err).toMatch(/✗ apply_patch: Nothing was changed: .*nowhere\.txt/);
  expect(err).toMatch(/✗ view_image missing\.png: Not shown: /);
  expect(err).toMatch(/✓ view_image pixel\.png\n/);
  expect(err).toMatch(/✗ teleport: There is no tool teleport/);
  expect(err).toMatch(/✗ touch x: not done: /);
  expect(err).not.toContain('The plan is shown');
  const { out } = await runBaton(scene, ['exec', 'try', '--json']);
  const codes = eventsIn(out).flatMap(({ msg }) => (msg.type === 'background_event' ? [msg.code] : []));
  expect(codes).toEqual(['CALL_FAILED', 'CALL_FAILED', 'CALL_DONE', 'CALL_FAILED', 'CALL_FAILED']);
});
