import { expect, test } from 'vitest';
import { addressOf, programEnvironment, providerOfKey, upstreamOf, withoutKeys } from './providers.js';

const environment = { OPENAI_API_KEY: 'sk-one', ANTHROPIC_API_KEY: 'sk-two', OTHER_KEY: 'sk-three', PATH: '/bin' };
const key = (value: string, header: 'authorization' | 'x-api-key') => ({ mode: 'key', key: value, header });

test.each([
  ['openai', {}, {}, 'https://api.openai.com/v1', key('sk-one', 'authorization')],
  ['anthropic', {}, {}, 'https://api.anthropic.com/v1', key('sk-two', 'x-api-key')],
  ['openai', { OPENAI_BASE_URL: 'http://a/v1/' }, {}, 'http://a/v1', key('sk-one', 'authorization')],
  ['anthropic', { ANTHROPIC_BASE_URL: 'http://a' }, {}, 'http://a/v1', key('sk-two', 'x-api-key')],
  [
    'openai',
    { OPENAI_BASE_URL: 'http://a/v1' },
    { openai: { base_url: 'http://b/v1', key_env: 'OTHER_KEY' } },
    'http://b/v1',
    key('sk-three', 'authorization'),
  ],
] as const)('%s with %j and %j is at the right place, with its key', (provider, more, settings, baseUrl, login) => {
  const found = upstreamOf(provider, { environment: { ...environment, ...more }, settings });
  expect(found).toEqual({ upstream: { baseUrl, login } });
});

test('an agent may have an address of its own; a key that is not there is named', () => {
  const settings = { openai: { base_url: 'http://b/v1' } };
  expect(upstreamOf('openai', { environment, settings, baseUrl: 'http://c/v1' })).toMatchObject({
    upstream: { baseUrl: 'http://c/v1' },
  });
  expect(upstreamOf('openai', { environment: { OPENAI_API_KEY: '' }, settings: {} })).toEqual({
    missing: 'OPENAI_API_KEY',
  });
  expect(upstreamOf('openai', { environment, settings: { openai: { key_env: 'NONE' } } })).toEqual({ missing: 'NONE' });
});

test('no key is left in what others are started with, whatever its variable is called', () => {
  expect(withoutKeys(environment, { openai: { key_env: 'OTHER_KEY' } })).toEqual({ PATH: '/bin' });
});

test('a program finds the proxy where it looks for its provider', () => {
  expect(addressOf('openai', 'http://p/h/1')).toBe('http://p/h/1/v1');
  expect(addressOf('anthropic', 'http://p/h/1')).toBe('http://p/h/1');
  expect(programEnvironment('anthropic', 'http://p', 't')).toEqual({
    ANTHROPIC_API_KEY: 't',
    ANTHROPIC_BASE_URL: 'http://p',
  });
  expect(programEnvironment('openai', 'http://p/v1', 't')).toEqual({
    OPENAI_API_KEY: 't',
    OPENAI_BASE_URL: 'http://p/v1',
    OPENAI_API_BASE: 'http://p/v1',
  });
  expect([providerOfKey('OPENAI_API_KEY'), providerOfKey('OTHER_KEY')]).toEqual(['openai', undefined]);
});
