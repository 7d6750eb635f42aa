/** The files of contract 001. All lie in one folder, which both sides know. */
export const REQUEST_FILE = '.agent-request.json';
export const RESPONSE_FILE = '.agent-response.json';
export const STATE_FILE = '.template-create-state.json';

/** Where a response goes that answers nothing that was asked. Nobody reads it but people. */
export const REJECTED_FILE = '.agent-response.json.rejected';

/** What is removed at the end. The state goes last: while it is there, a run that was cut off can be resumed. */
export const BRIDGE_FILES = [REQUEST_FILE, RESPONSE_FILE, STATE_FILE] as const;

/** A state holds every answer of a run, so it may be larger than other payloads. */
export const BRIDGE_BYTES_MAX = 64 * 1024 * 1024;

/** "Paused for external agent invocation." */
export const CHECKPOINT_EXIT_CODE = 42;
