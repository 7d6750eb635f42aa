import type { BridgeBoard, BridgeFile } from '../../client/index.js';
import { REQUEST_FILE, RESPONSE_FILE, STATE_FILE } from '../../contracts/bridge/bridge-file-names.js';

export type FileMark = {
  name: string;
  /** What it is, in one word. */
  what: string;
  file: BridgeFile | null;
  /** The id it should have, when it has another one. */
  expected: string | null;
  /** What is known of its id, in words. */
  says: string;
};

/** The three files, and whether what they say belongs together. */
export function fileMarks({ files, pending }: BridgeBoard): readonly FileMark[] {
  const { request, response, state } = files;
  const open = pending ?? request?.id ?? null;
  return [
    {
      ...{ name: REQUEST_FILE, what: 'Request', file: request, expected: unlike(request, pending) },
      says: pending === null ? 'it was answered' : 'it waits for an answer',
    },
    {
      ...{ name: RESPONSE_FILE, what: 'Response', file: response, expected: unlike(response, open) },
      says: open === null ? 'the request is gone' : 'answers the request',
    },
    {
      ...{ name: STATE_FILE, what: 'Checkpoint', file: state, expected: unlike(state, open) },
      says: state?.id ? 'holds the same request to be open' : 'holds no request to be open',
    },
  ];
}

function unlike(file: BridgeFile | null, expected: string | null): string | null {
  return file?.id && expected !== null && file.id !== expected ? expected : null;
}
