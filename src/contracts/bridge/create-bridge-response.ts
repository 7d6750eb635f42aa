import type { BridgeResponse } from '../generated/types/bridge-response.js';
import { parseContract } from '../shared/contract.js';
import { bridgeResponse } from './bridge-response.js';
import { BRIDGE_VERSION } from './bridge-version.js';

type Optional = 'response' | 'error_message' | 'error_type' | 'duration_seconds';
type Metadata = NonNullable<BridgeResponse['metadata']>;
type Absent = null | undefined;

export type BridgeResponseFields = Pick<BridgeResponse, 'request_id' | 'status' | 'created_at'> & {
  [Field in Optional]?: BridgeResponse[Field] | Absent;
} & { metadata?: { [Field in 'model' | 'tokens_used' | 'confidence']?: Metadata[Field] | Absent } };

/** Absent is left out; empty and 0 are values and are kept. */
export function createBridgeResponse(fields: BridgeResponseFields): BridgeResponse {
  const { request_id, status, created_at, metadata } = fields;
  return parseContract(bridgeResponse, {
    request_id,
    version: BRIDGE_VERSION,
    status,
    created_at,
    ...present(fields, ['response', 'error_message', 'error_type', 'duration_seconds']),
    ...(metadata && { metadata: present(metadata, ['model', 'tokens_used', 'confidence']) }),
  });
}

function present<T extends object>(fields: T, names: readonly (keyof T)[]): Partial<T> {
  const kept: Partial<T> = {};
  for (const name of names) if (fields[name] !== undefined && fields[name] !== null) kept[name] = fields[name];
  return kept;
}
