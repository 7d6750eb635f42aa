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
export function fileMarks({ files, pending, crossings }: BridgeBoard): readonly FileMark[] {
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
      says: stateWords(state, open, crossings),
    },
  ];
}

function stateWords(state: BridgeFile | null, open: string | null, crossings: BridgeBoard['crossings']): string {
  if (!state?.id) return 'holds no request to be open';
  const asked = crossings.find(({ request_id }) => request_id === state.id);
  if (asked && asked.status !== null) return 'was open when it was written, and was answered since';
  return state.id === open ? 'is open in it too' : 'is open in it';
}

function unlike(file: BridgeFile | null, expected: string | null): string | null {
  return file?.id && expected !== null && file.id !== expected ? expected : null;
}
