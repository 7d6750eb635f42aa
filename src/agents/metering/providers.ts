import type { Upstream } from '../proxy/upstream.js';

export type ProviderName = 'openai' | 'anthropic';
export type Environment = Readonly<Record<string, string | undefined>>;
/** What the configuration says about a provider. */
export type ProviderSettings = { base_url?: string; key_env?: string };
export type Settings = Readonly<Partial<Record<ProviderName, ProviderSettings>>>;

type Convention = {
  /** The variable in which programs look for their key. */
  keyName: string;
  /** Variables in which they look for the address. The first is also read. */
  urlNames: readonly [string, ...string[]];
  /** What they expect at its end; the others add it by themselves. */
  ending: '/v1' | '';
  header: 'authorization' | 'x-api-key';
  usualUrl: string;
};

const CONVENTIONS: Readonly<Record<ProviderName, Convention>> = {
  openai: {
    keyName: 'OPENAI_API_KEY',
    urlNames: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    ending: '/v1',
    header: 'authorization',
    usualUrl: 'https://api.openai.com/v1',
  },
  anthropic: {
    keyName: 'ANTHROPIC_API_KEY',
    urlNames: ['ANTHROPIC_BASE_URL'],
    ending: '',
    header: 'x-api-key',
    usualUrl: 'https://api.anthropic.com',
  },
};

/** The environment without keys of providers: nothing that Baton starts is given them. */
export function withoutKeys(environment: Environment, settings: Settings): Environment {
  const held = new Set(Object.values(CONVENTIONS).map(({ keyName }) => keyName));
  for (const { key_env: name } of Object.values(settings)) if (name !== undefined) held.add(name);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !held.has(name)));
}

export function providerOfKey(name: string): ProviderName | undefined {
  const found = Object.entries(CONVENTIONS).find(([, { keyName }]) => keyName === name);
  return found?.[0] as ProviderName | undefined;
}

export function providerOfWire(wire: 'responses' | 'chat' | 'messages'): ProviderName {
  return wire === 'messages' ? 'anthropic' : 'openai';
}

/** A provider with the key that is held for it; or the name of the variable that holds none. */
export function upstreamOf(
  provider: ProviderName,
  { environment, settings, baseUrl }: { environment: Environment; settings: Settings; baseUrl?: string | undefined },
): { upstream: Upstream } | { missing: string } {
  const { keyName, urlNames, ending, header, usualUrl } = CONVENTIONS[provider];
  const { base_url: configured, key_env: holder = keyName } = settings[provider] ?? {};
  const key = environment[holder];
  if (!key) return { missing: holder };
  const address = (baseUrl ?? configured ?? environment[urlNames[0]] ?? usualUrl).replace(/\/+$/, '');
  return { upstream: { baseUrl: ending === '' ? `${address}/v1` : address, login: { mode: 'key', key, header } } };
}

/** What a program of the provider's is told instead: the proxy, and its token for a key. */
export function addressOf(provider: ProviderName, proxyUrl: string): string {
  return proxyUrl + CONVENTIONS[provider].ending;
}

export function programEnvironment(provider: ProviderName, address: string, token: string): Record<string, string> {
  const { keyName, urlNames } = CONVENTIONS[provider];
  return { [keyName]: token, ...Object.fromEntries(urlNames.map((name) => [name, address])) };
}
