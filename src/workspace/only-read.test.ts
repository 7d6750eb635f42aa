import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { whyOnlyRead } from './only-read.js';

test.each([
  ['/', 'holds your home'],
  [os.homedir(), 'holds your home'],
  ['/etc', 'is of the system'],
  ['/etc/cron.d', 'is of the system'],
  ['/usr/local/bin', 'is of the system'],
  ['/usr/src', 'is of the system'],
  ['/proc/self', 'is of the system'],
  ['/run/systemd', 'is of the system'],
  ['/var/tmp', 'is shared by everything on this machine'],
  ['/srv', 'is shared by everything on this machine'],
  ['/srv/app/.git/hooks', 'is in the control files of git'],
])('%s is only read: it %s', (place, why) => {
  expect(whyOnlyRead(place)).toBe(why);
});

test.each([
  '/srv/app',
  '/opt/app',
  '/var/www/app',
  '/tmp/app',
  '/etcetera',
  '/run/media/anna/disk/app',
  '/usr/src/app',
])('%s may be written to', (place) => {
  expect(whyOnlyRead(place)).toBeUndefined();
});

test('what lies in a home may be written to', () => {
  expect(whyOnlyRead(path.join(os.homedir(), 'src/app'))).toBeUndefined();
});
