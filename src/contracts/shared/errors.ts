import type { ErrorSpec } from './error-spec.js';
import { SESSION_ERRORS } from './session-errors.js';
import { STORE_ERRORS } from './store-errors.js';

export const ERRORS = {
  // Contracts: every validator answers with one of these.
  SCHEMA_INVALID: {
    http: 422,
    exit: 1,
    hint: 'Compare the payload with the schema: baton schema show <details.contract>.',
    otherwise:
      'Correct what the reason names, and send it again: JSON in UTF-8, each key once. The contracts: baton schema list.',
  },
  MISSING_REQUIRED_INPUT: {
    http: 422,
    exit: 1,
    hint: 'Add the field named in details.path; a list named there needs at least one entry.',
    otherwise: 'Send a JSON object: there was nothing, or nothing but blanks.',
  },
  UNKNOWN_SCHEMA_VERSION: {
    http: 422,
    exit: 1,
    hint: 'Send schema_version 1.x.y, or upgrade Baton when the payload is of a newer release.',
  },
  LOCK_CONFLICT: {
    http: 409,
    exit: 1,
    hint: 'Wait until the lock named in details is released, or choose a scope that does not overlap it.',
  },
  SCOPE_VIOLATION: {
    http: 422,
    exit: 1,
    hint: 'Stay inside lock_scope and out of forbidden_scope; details names the path.',
  },
  ACCEPTANCE_FAILED: {
    http: 422,
    exit: 1,
    hint: 'Report every criterion of the assignment as pass with evidence, or report blocked or failed instead of done.',
  },
  UNTRUSTED_CONTEXT_BLOCK: {
    http: 422,
    exit: 1,
    hint: 'Remove the secret or the control object from the text named in details.path, then send it again.',
  },
  LEDGER_INCONSISTENT: {
    http: 422,
    exit: 1,
    hint: 'Repair every row listed in details.issues, then reconcile again.',
  },
  TASK_TIMEOUT: {
    http: 422,
    exit: 1,
    hint: 'End the tasks in details.timed_out and assign them again, or raise timeout_seconds.',
  },
  CONCURRENCY_CONFLICT: { http: 409, exit: 1, hint: 'Read the ledger again, reconcile, then send the delta again.' },
  KEY_REUSED: {
    http: 409,
    exit: 1,
    hint: 'Use a new key for new content; the same key is only for sending the same content again.',
  },
  NON_COMPLIANT: {
    http: 422,
    exit: 1,
    hint: 'Answer the packet that was sent: same run_id, task_id and worklog_path, and earlier worklog lines unchanged.',
  },
  TASK_BLOCKED: {
    http: 422,
    exit: 1,
    hint: 'Read what the agent says it lacks: baton operator worklog RUN TASK; then answer the item in: baton inbox.',
  },
  TASK_FAILED: {
    http: 422,
    exit: 1,
    hint: 'Read what the agent tried: baton operator worklog RUN TASK; then give the task to another agent.',
  },
  AGENT_FAILED: {
    http: 422,
    exit: 1,
    hint: 'Read what it printed: baton operator worklog RUN TASK --log; then try again.',
  },
  MERGE_CONFLICT: {
    http: 409,
    exit: 1,
    hint: 'Look at the files in details.files on branch baton/RUN; give the task out again, and it begins on that.',
  },
  MISSING_VALIDATOR: { http: 404, exit: 1, hint: 'List the contracts with: baton schema list.' },
  VALIDATOR_FAILED: {
    http: 500,
    exit: 1,
    hint: 'The payload was not accepted. Report this as a bug together with the payload named in details.',
  },
  EVIDENCE_MISSING: { http: 422, exit: 1, hint: 'Create the files listed in details.missing, or leave them out.' },
  PATH_REFUSED: {
    http: 422,
    exit: 1,
    hint: 'Name files relative to the workspace, with / between folders and without .. or links that lead out of it.',
  },
  PARSE_ERROR: { http: 422, exit: 1, hint: 'Answer with one JSON object and nothing else, as the prompt shows.' },
  VALIDATION_ERROR: {
    http: 422,
    exit: 1,
    hint: 'Answer the request that is waiting: copy its request_id, and answer in the form that its prompt shows.',
  },
  ENVELOPE_MISMATCH: {
    http: 422,
    exit: 1,
    hint: 'Send the envelope back as it was returned last; change only what it asks for, or its bounds.',
  },
  INTERRUPT_EXPIRED: {
    http: 409,
    exit: 1,
    hint: 'The question waited too long and the envelope has ended: make a new one with baton envelope create.',
  },
  PIPELINE_NOT_FOUND: {
    http: 422,
    exit: 1,
    hint: 'Name a built-in pipeline or one of the files in the folder pipelines of the home; details.known lists them.',
  },
  BRIDGE_BUSY: {
    http: 409,
    exit: 1,
    hint: 'Wait until the other handler has ended, or give this orchestrator a folder of its own with --dir.',
  },
  BRIDGE_NO_REQUEST: {
    http: 422,
    exit: 1,
    hint: 'baton bridge status shows what waits. An orchestrator writes .agent-request.json before it exits with 42.',
  },
  BRIDGE_NO_PROGRESS: {
    http: 409,
    exit: 1,
    hint: 'Let the orchestrator read .agent-response.json when it is started with --resume, then run it again.',
  },
  BRIDGE_ABANDONED: { http: 409, exit: 1, hint: 'Begin anew: baton bridge run -- CMD.' },
  ENVELOPE_STALE: { http: 409, exit: 1, hint: 'Send the newest envelope; counters never go down.' },
  // Runs.
  INVALID_TRANSITION: {
    http: 409,
    exit: 1,
    hint: 'Look at how it stands: baton runs lists them, baton job show ID says what moves a job on.',
  },
  LIMIT_TOO_LOW: { http: 422, exit: 1, hint: 'Name a limit above what is already spent.' },
  ENGINE_STOPPED: { http: 503, exit: 1, hint: 'Repeat the command with the same key: another process takes it.' },
  RUN_NOT_FOUND: { http: 404, exit: 1, hint: 'List the runs there are: baton runs.' },
  AMBIGUOUS_ID: { http: 409, exit: 1, hint: 'Type more of the id: details.candidates names what it could mean.' },
  ID_TAKEN: { http: 409, exit: 1, hint: 'Choose another name, or leave it out where Baton makes one.' },
  ITEM_CLOSED: { http: 409, exit: 1, hint: 'Look at what waits now: baton inbox.' },
  ITEM_NOT_FOUND: { http: 404, exit: 1, hint: 'List the items that wait: baton inbox.' },
  RULE_NOT_FOUND: { http: 404, exit: 1, hint: 'List the rules of this repository: baton rule list.' },
  RULES_FULL: { http: 409, exit: 1, hint: 'Take back rules that are no longer needed: baton rule rm ID.' },
  RULE_TOO_WIDE: {
    http: 422,
    exit: 1,
    hint: 'Approve it this once, or make a rule by hand: baton rule add allow "…".',
  },
  ...SESSION_ERRORS,
  HANDOFF_LOST: { http: 409, exit: 1, hint: 'Stop working on it, and claim the next one.' },
  AGENT_NOT_FOUND: {
    http: 422,
    exit: 1,
    hint: 'Name a registered agent: baton agent list, or register one: baton agent register ID --adapter command --command "…".',
  },
  BRIDGE_FAILED: {
    http: 422,
    exit: 1,
    hint: 'Look at details.error_type and details.error_message, then start the orchestrator again: it asks once more.',
  },
  BRIDGE_CANCELLED: {
    http: 409,
    exit: 1,
    hint: 'Start the orchestrator again with --resume to ask once more, or without it to begin anew.',
  },
  BRIDGE_STATE_INVALID: {
    http: 422,
    exit: 1,
    hint: 'Repair the file named in details.file, or delete it to begin anew.',
  },
  REPLAY_MISMATCH: {
    http: 422,
    exit: 1,
    hint: 'The history was changed at the interaction in details.sequence; the journal of the job is the truth: baton job history ID.',
  },
  SANDBOX_UNAVAILABLE: {
    http: 422,
    exit: 1,
    hint: 'See what it lacks with: baton doctor --show-fix sandbox, or set another sandbox.mode.',
  },
  TOOL_MISSING: { http: 422, exit: 1, hint: 'Install the program named in details.program, then repeat the command.' },
  TOOL_FAILED: {
    http: 422,
    exit: 1,
    hint: 'Run the command named in the reason yourself to see what it needs, then repeat.',
  },
  // The audit.
  AUDIT_BROKEN: {
    http: 500,
    exit: 1,
    hint: 'Keep a copy of the home folder as evidence, then restore a backup that verifies; details.findings names every place.',
  },
  HEAD_INVALID: { http: 422, exit: 1, hint: 'Name a file made by: baton audit head --json > head.json.' },
  EXPORT_INVALID: { http: 422, exit: 1, hint: 'Name a file made by: baton audit export > journal.ndjson.' },
  KEY_UNUSABLE: {
    http: 500,
    exit: 1,
    hint: 'Give the file in details.file to your user with mode 0600, or move it away and let a new key be made.',
  },
  LISTS_DIFFER: {
    http: 500,
    exit: 1,
    hint: 'The events are whole and win. Report the rows in details.differences as a bug, and keep a copy of the home folder.',
  },
  // The server: what it refuses before anybody is asked.
  UNAUTHENTICATED: {
    http: 401,
    exit: 1,
    hint: 'Show a token (the file token of the home, or baton token create): in Authorization: Bearer, or as the first message, authenticate.',
  },
  FORBIDDEN: {
    http: 403,
    exit: 1,
    hint: 'Needed is details.needed (a role, an agent or a person): use a token of it.',
    otherwise: 'Do it as somebody who may: the reason says who that is.',
  },
  ROUTE_NOT_FOUND: {
    http: 404,
    exit: 1,
    hint: 'Look at what there is: GET /openapi.json.',
  },
  METHOD_NOT_ALLOWED: {
    http: 405,
    exit: 1,
    hint: 'Use one of the methods in details.allowed.',
  },
  REQUEST_TIMEOUT: {
    http: 408,
    exit: 1,
    hint: 'Send the whole request at once; with the same Idempotency-Key it is safe to send it again.',
  },
  UNSUPPORTED_MEDIA: {
    http: 415,
    exit: 1,
    hint: 'Send Content-Type: application/json, without a content encoding.',
  },
  EXPECTATION_FAILED: { http: 417, exit: 1, hint: 'Leave the Expect header out, or send Expect: 100-continue.' },
  WRONG_HOST: {
    http: 421,
    exit: 1,
    hint: 'Use the address that was printed when it began to listen; that of a server is in server.json of the home, too.',
  },
  RATE_LIMITED: {
    http: 429,
    exit: 1,
    hint: 'Wait a second; what was refused was not begun.',
  },
  HEADERS_TOO_LARGE: {
    http: 431,
    exit: 1,
    hint: 'Send fewer or shorter headers.',
  },
  SERVER_UNREACHABLE: {
    http: 503,
    exit: 1,
    hint: 'No answer is unknown, not failed: send it again with the key in details.key, or look whether it is done.',
    otherwise: 'Start it: baton serve; or unset BATON_URL to work without a server. A read may be repeated.',
  },
  TOKEN_EXPIRED: { http: 401, exit: 1, hint: 'Make another one: baton token create --role ROLE --name NAME.' },
  TOKEN_NOT_FOUND: {
    http: 404,
    exit: 1,
    hint: 'List the tokens there are: baton token list.',
  },
  TOKENS_FULL: {
    http: 409,
    exit: 1,
    hint: 'Revoke tokens that nobody uses: baton token revoke NAME.',
  },
  BUDGET_NOT_FOUND: { http: 404, exit: 1, hint: 'List the budgets there are: baton budget list.' },
  BUDGETS_FULL: { http: 409, exit: 1, hint: 'Remove one that is not needed: baton budget set none --project NAME.' },
  NOTIFIER_NOT_FOUND: { http: 404, exit: 1, hint: 'List who is told: baton notify list.' },
  NOTIFIERS_FULL: { http: 409, exit: 1, hint: 'Remove one that nobody reads: baton notify rm NAME.' },
  // Reading what came in.
  PAYLOAD_TOO_LARGE: { http: 413, exit: 1, hint: 'Send at most details.bytes_max bytes.' },
  INPUT_UNREADABLE: { http: 422, exit: 1, hint: 'Check that the file named in details.file exists and may be read.' },
  INPUT_TIMEOUT: { http: 422, exit: 1, hint: 'Close standard input after the payload, or name a file.' },
  // The command line and its own files.
  INTERNAL: { http: 500, exit: 1, hint: 'This is a bug. Repeat with BATON_DEBUG=1 and report it.' },
  USAGE: { http: 400, exit: 2, hint: 'Add --help to the command to see how it is called.' },
  NOT_BUILT: { http: 500, exit: 1, hint: 'Build it once: npm ci && npm run build.' },
  CONFIG_INVALID: {
    http: 422,
    exit: 1,
    hint: 'Repair or delete the file named in details.file, then repeat the command.',
  },
  FILE_EXISTS: { http: 409, exit: 1, hint: 'Name another place, or move away what is there.' },
  FILE_UNWRITABLE: {
    http: 500,
    exit: 1,
    hint: 'Make the folder of details.file writable for your user and free some space, then repeat the command.',
  },
  FOLDER_IN_USE: { http: 409, exit: 1, hint: 'Name a folder that does not exist yet, or move away what is in it.' },
  TEMPLATE_NOT_FOUND: {
    http: 404,
    exit: 1,
    hint: 'Name a template in details.folder or the path of one, or make it: baton template create --path P --name N.',
  },
  TEMPLATE_INVALID: {
    http: 422,
    exit: 1,
    hint: 'Repair the place named in the reason, or make the template again: baton template create.',
  },
  CONFIG_LOCKED: {
    http: 503,
    exit: 1,
    hint: 'Repeat the command; if no other baton is running, delete the file named in details.lock first.',
  },
  HOME_UNUSABLE: {
    http: 500,
    exit: 1,
    hint: 'Give the folder in details.home to your user with mode 0700, or set BATON_HOME to another one.',
  },
  ...STORE_ERRORS,
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;
export type Details = Record<string, unknown>;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

/** The form in which every refusal and failure leaves Baton. */
export type ErrorObject = { allow: false; code: ErrorCode; reason: string; hint: string; details?: Details };

/** A hint that names details is for errors that have them. */
export function hintFor(code: ErrorCode, details: Details = {}): string {
  const { hint, otherwise }: ErrorSpec = ERRORS[code];
  const named = [...hint.matchAll(/details\.(\w+)/g)].map(([, name = '']) => name);
  return otherwise === undefined || named.every((name) => Object.hasOwn(details, name)) ? hint : otherwise;
}

export class BatonError extends Error {
  override readonly name = 'BatonError';
  readonly code: ErrorCode;
  readonly details: Details | undefined;
  private readonly ownHint: string | undefined;

  /** `hint`: where this very error has a better one than all of its code. */
  constructor(code: ErrorCode, reason: string, details?: Details, hint?: string) {
    super(reason);
    this.code = code;
    this.details = details;
    this.ownHint = hint;
  }

  get hint(): string {
    return this.ownHint ?? hintFor(this.code, this.details);
  }

  toObject(): ErrorObject {
    const { code, message: reason, hint, details } = this;
    return { allow: false, code, reason, hint, ...(details && { details }) };
  }
}

/** The two tiers of the command line carry a copy of the class each, so an error is known by its name and code. */
export function isBatonError(failure: unknown): failure is BatonError {
  return failure instanceof Error && failure.name === 'BatonError' && isErrorCode((failure as BatonError).code);
}
