import type { BridgeResponse } from '../generated/types/bridge-response.js';
import { check } from '../shared/contract.js';
import { readJson } from '../shared/read-json.js';
import type { Denial } from '../shared/verdict.js';
import { BRIDGE_BYTES_MAX } from './bridge-file-names.js';
import { bridgeResponse } from './bridge-response.js';
import { bridgeVersionDenial } from './bridge-version.js';

/** What a handler wrote: a whole response of a version we know, or why not. */
export function readBridgeResponse(text: string | Uint8Array): BridgeResponse | Denial {
  const read = readJson(text, BRIDGE_BYTES_MAX);
  if ('denial' in read) return read.denial;
  const verdict = bridgeVersionDenial(read.value) ?? check(bridgeResponse, read.value);
  return verdict.allow ? (read.value as BridgeResponse) : verdict;
}
