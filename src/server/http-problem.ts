import { BatonError, ERRORS, isBatonError } from '../contracts/shared/errors.js';
import type { Denial } from '../contracts/shared/verdict.js';

/** What is wrong with a request as such has another status than what a contract says about it. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly error: BatonError;

  constructor(status: number, error: BatonError) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

/** Text that is no JSON all parsers read alike. */
export function badText({ code, reason, details }: Denial): HttpProblem {
  const status = code === 'PAYLOAD_TOO_LARGE' ? ERRORS[code].http : 400;
  return new HttpProblem(status, new BatonError(code, reason, details));
}

export function badQuery(name: string, value: string): HttpProblem {
  const error = new BatonError('USAGE', `${name} cannot be ${JSON.stringify(value)}`, { path: `?${name}` });
  return new HttpProblem(400, error);
}

/** Codes of the framework, and what they are called here. */
const FRAMEWORK: Readonly<Record<string, ConstructorParameters<typeof BatonError>>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'the body is larger than 2097152 bytes', { bytes_max: 2_097_152 }],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA', 'the body is not application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['USAGE', 'the body has another length than it says'],
  /** Whoever sent it has hung up meanwhile. */
  ECONNRESET: ['USAGE', 'the request was cut off'],
  FST_ERR_BAD_URL: ['USAGE', 'the address cannot be read'],
  FST_ERR_MAX_PARAM_LENGTH: ['ROUTE_NOT_FOUND', 'no name is so long'],
};

export function problemOf(failure: unknown): { status: number; error: BatonError } {
  const { status, error } = statusAndError(failure);
  return { status, error: error.code === 'USAGE' ? forRequests(error) : error };
}

/** Nobody who sends a request has typed a command. */
function forRequests({ code, message, details }: BatonError): BatonError {
  return new BatonError(code, message, details, 'Look at what this request takes: GET /openapi.json.');
}

function statusAndError(failure: unknown): { status: number; error: BatonError } {
  if (failure instanceof HttpProblem) return failure;
  if (isBatonError(failure)) return { status: ERRORS[failure.code].http, error: failure };
  const { code = '', statusCode } = failure as { code?: string; statusCode?: number };
  // Only the framework gives what is wrong a status.
  const known = statusCode === undefined ? undefined : FRAMEWORK[code];
  if (known) {
    const error = new BatonError(...known);
    return { status: ERRORS[error.code].http, error };
  }
  return { status: 500, error: new BatonError('INTERNAL', 'something failed that should not have') };
}
