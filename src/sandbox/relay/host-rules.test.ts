import { describe, expect, test } from 'vitest';
import { readTarget, ruleFor } from './host-rules.js';
import { isPublicAddress } from './public-address.js';

describe('a target', () => {
  test.each([
    ['example.com:443', { host: 'example.com', port: 443 }],
    ['EXAMPLE.com.:443', { host: 'example.com', port: 443 }],
    ['93.184.216.34:80', { host: '93.184.216.34', port: 80 }],
    ['[2606:2800::1]:443', { host: '2606:2800::1', port: 443 }],
  ])('%s is read', (text, target) => {
    expect(readTarget(text)).toEqual(target);
  });

  test.each([
    'example.com',
    'example.com:0',
    'example.com:65536',
    'example.com:443/',
    'user@example.com:443',
    'exa mple.com:443',
    'example..com:443',
    '2606:2800::1:443',
    '[::1%25lo]:443',
    '[example.com]:443',
    '2130706433:443',
    '0x7f000001:443',
    '127.1:443',
    '127.0.0.0x1:443',
    '.com:443',
    `${'a'.repeat(64)}.com:443`,
    'example.com\0.evil.org:443',
    ':443',
    '',
  ])('%j is none', (text) => {
    expect(readTarget(text)).toBeUndefined();
  });
});

describe('a rule', () => {
  const allows = (host: string, target: string, port?: number): boolean => {
    const read = readTarget(target);
    return read !== undefined && ruleFor(read, [{ host, ...(port !== undefined && { port }) }]) !== undefined;
  };
  test.each([
    ['example.com', 'example.com:443', true],
    ['Example.COM', 'example.com:443', true],
    ['example.com', 'example.com:80', false],
    ['example.com', 'www.example.com:443', false],
    ['example.com', 'notexample.com:443', false],
    ['*.example.com', 'www.example.com:443', true],
    ['*.example.com', 'a.b.example.com:443', true],
    ['*.example.com', 'example.com:443', false],
    ['*.example.com', 'evilexample.com:443', false],
    ['*.example.com', 'example.com.evil.org:443', false],
    ['*.1', '10.0.0.1:443', false],
    ['10.0.0.1', '10.0.0.1:443', true],
  ])('for %s and %s says %s', (host, target, expected) => {
    expect(allows(host, target)).toBe(expected);
  });

  test('may name another port', () => {
    expect([allows('example.com', 'example.com:8443', 8443), allows('example.com', 'example.com:443', 8443)]).toEqual([
      true,
      false,
    ]);
  });
});

test.each([
  ['93.184.216.34', true],
  ['2606:2800:220:1::1', true],
  ['127.0.0.1', false],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['172.31.0.1', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:93.184.216.34', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001:0:1::', false],
  ['fc00::1', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['ff02::1', false],
  ['example.com', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
