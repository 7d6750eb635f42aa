import type { ErrorSpec } from './error-spec.js';

/** Of contract 004. */
export const SESSION_ERRORS = {
  SESSION_NOT_CONFIGURED: {
    http: 409,
    exit: 1,
    hint: 'Send configure_session with the folder to work in first, or attach to a session.',
  },
  SESSION_NOT_FOUND: { http: 404, exit: 1, hint: 'List the sessions there are: baton runs --kind session.' },
  NO_TASK: { http: 409, exit: 1, hint: 'Nothing needs to be stopped; send user_input to begin a task.' },
  APPROVAL_NOT_FOUND: {
    http: 404,
    exit: 1,
    hint: 'Answer with the call_id of an exec_approval_request or apply_patch_approval_request: baton inbox.',
  },
  APPROVAL_CLOSED: {
    http: 409,
    exit: 1,
    hint: 'It was answered, or its task has ended: look at the events that followed.',
  },
  INTERRUPTED: { http: 409, exit: 1, hint: 'Send user_input to go on; what was done so far is kept.' },
  MODEL_FAILED: {
    http: 503,
    exit: 1,
    hint: 'Check the provider and its key (baton doctor), then send the input again.',
  },
  LIMIT_REACHED: {
    http: 409,
    exit: 1,
    hint: 'Set the session up again with higher limits (configure_session), then send the input again.',
  },
  CONTEXT_FULL: {
    http: 409,
    exit: 1,
    hint: 'Send a shorter input, or name a file that holds it: the session goes on without the one that did not fit.',
  },
  NOT_SUPPORTED: { http: 422, exit: 1, hint: 'Leave it out: this release does not do it.' },
} as const satisfies Record<string, ErrorSpec>;
