import { REQUEST_FILE, RESPONSE_FILE } from '../contracts/bridge/bridge-file-names.js';
import type { BridgeRequest } from '../contracts/bridge/bridge-request.js';
import { readAgentRequest } from '../contracts/bridge/read-agent-request.js';
import { readBridgeResponse } from '../contracts/bridge/read-bridge-response.js';
import type { BridgeResponse } from '../contracts/generated/types/bridge-response.js';
import { readJson } from '../contracts/shared/read-json.js';
import type { BridgeFolder } from './bridge-folder.js';
import type { Checkpoint } from './checkpoint.js';

/** The request that is waiting in the folder, if it is one. */
export function waitingRequest(folder: BridgeFolder): BridgeRequest | undefined {
  try {
    const read = readJson(folder.read(REQUEST_FILE) ?? '');
    return 'value' in read ? readAgentRequest(read.value) : undefined;
  } catch {
    return undefined;
  }
}

/** The response to exactly this request. Whatever else lies there is no answer to it. */
export function responseTo(
  request_id: string,
  folder: BridgeFolder,
  checkpoint: Checkpoint,
): BridgeResponse | 'none' | 'rejected' {
  const response = readResponse(folder);
  if (response === 'none') return 'none';
  if (response === 'unreadable') return folder.rejectResponse() ? 'rejected' : 'none';
  if (response.request_id === request_id) return response;
  if (checkpoint.isOver(response.request_id)) {
    folder.remove(RESPONSE_FILE);
    return 'none';
  }
  return folder.rejectResponse() ? 'rejected' : 'none';
}

/** Before something new is asked: what lies there was written before the request and cannot answer it. */
export function clearForRequest(folder: BridgeFolder, checkpoint: Checkpoint): void {
  folder.remove(REQUEST_FILE);
  if (checkpoint.hasAnswers()) {
    const response = readResponse(folder);
    if (typeof response === 'object' && checkpoint.isOver(response.request_id)) folder.remove(RESPONSE_FILE);
  }
  folder.rejectResponse();
}

/** The request goes first: alone it would look like a question that nobody has answered yet. */
export function removeAnswered(folder: BridgeFolder): void {
  folder.remove(REQUEST_FILE);
  folder.remove(RESPONSE_FILE);
}

function readResponse(folder: BridgeFolder): BridgeResponse | 'none' | 'unreadable' {
  try {
    const bytes = folder.read(RESPONSE_FILE);
    if (bytes === null) return 'none';
    const response = readBridgeResponse(bytes);
    return 'allow' in response ? 'unreadable' : response;
  } catch {
    return 'unreadable';
  }
}
