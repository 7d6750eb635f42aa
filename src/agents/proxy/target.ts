import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from './grants.js';
import { chatWire } from './wires/chat.js';
import { messagesWire } from './wires/messages.js';
import { responsesWire } from './wires/responses.js';
import type { Wire } from './wires/wire.js';

/** The places of a provider that can be reached; whatever else costs money would not be counted. */
export type Endpoint = { method: 'GET' | 'POST'; path: RegExp; wire: Wire; metered: boolean };

const ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: /^\/responses(\/compact)?$/, wire: responsesWire, metered: true },
  { method: 'POST', path: /^\/chat\/completions$/, wire: chatWire, metered: true },
  { method: 'POST', path: /^\/messages$/, wire: messagesWire, metered: true },
  { method: 'POST', path: /^\/messages\/count_tokens$/, wire: messagesWire, metered: false },
  { method: 'GET', path: /^\/models(\/[A-Za-z0-9][A-Za-z0-9._:-]{0,199})?$/, wire: responsesWire, metered: false },
];

const TARGET =
  /^\/(?<mode>h|own)\/(?<name>[A-Za-z0-9_-]{1,100})\/v1(?<path>\/[^?#]*)(?<query>\?[\x21\x22\x24-\x7e]{0,2000})?$/;

export type Target = {
  mode: 'h' | 'own';
  name: string;
  /** Below the provider's own address, with the query. */
  path: string;
  /** Undefined when there is no such place. */
  endpoint: Endpoint | undefined;
};

/** Where a request wants to go. The path is one of a list, so nothing in it can lead anywhere else. */
export function readTarget(method: string | undefined, url: string | undefined): Target | null {
  const parts = TARGET.exec(url ?? '')?.groups;
  if (!parts) return null;
  const { mode, name = '', path = '', query = '' } = parts;
  const endpoint = ENDPOINTS.find((one) => one.method === method && one.path.test(path));
  return { mode: mode as Target['mode'], name, path: path + query, endpoint };
}

/** Programs send their key in one of two headers. */
export function readCredentials({ mode, name }: Target, headers: IncomingHttpHeaders): Credentials {
  if (mode === 'own') return { own: true, token: name };
  const bearer = /^Bearer (\S{1,200})$/i.exec(headers.authorization ?? '')?.[1];
  const key = headers['x-api-key'];
  return { own: false, id: name, token: bearer ?? (typeof key === 'string' ? key : undefined) };
}

/** In whose words to refuse what has no place. */
export function wireOfUrl(url: string | undefined): Wire {
  return url?.includes('/messages') ? messagesWire : responsesWire;
}
