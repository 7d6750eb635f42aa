import { expect, test } from 'vitest';
import { createScrub } from '../scrub.js';
import { titleOf } from './user-items.js';

test('a title holds no half of a secret that lies where it is cut', () => {
  const text = `${'word '.repeat(14)}hunter2-hunter2-hunter2`;
  const title = titleOf(
    { type: 'user_input', items: [{ type: 'text', text }] },
    createScrub(['hunter2-hunter2-hunter2']),
  );
  expect(title).toMatch(/^word /);
  expect(title).not.toContain('hunter2');
});
