import type { StopReason } from './budget.js';

/** Why the proxy itself answers, and not the provider. `code` is Baton's own word, on every wire. */
export type Refusal = {
  status: 400 | 401 | 402 | 403 | 404 | 413 | 502 | 503 | 504;
  code: RefusalCode;
  message: string;
};

export type RefusalCode =
  | 'baton_path_unknown'
  | 'baton_token_missing'
  | 'baton_token_unknown'
  | 'baton_token_revoked'
  | 'baton_token_of_another_handoff'
  | 'baton_budget_exceeded'
  | 'baton_price_missing'
  | 'baton_background'
  | 'baton_body_too_large'
  | 'baton_requests_too_many'
  | 'baton_upstream_unreachable'
  | 'baton_upstream_redirect'
  | 'baton_upstream_encoding'
  | 'baton_upstream_timeout';

/** The nearest words of the two families of wires: agents know them, and do not ask again for what will not change. */
export const WORDS: Readonly<Record<Refusal['status'], { openai: string; anthropic: string }>> = {
  400: { openai: 'invalid_request', anthropic: 'invalid_request_error' },
  401: { openai: 'invalid_api_key', anthropic: 'authentication_error' },
  402: { openai: 'insufficient_quota', anthropic: 'billing_error' },
  403: { openai: 'permission_denied', anthropic: 'permission_error' },
  404: { openai: 'not_found', anthropic: 'not_found_error' },
  413: { openai: 'request_too_large', anthropic: 'request_too_large' },
  502: { openai: 'server_error', anthropic: 'api_error' },
  503: { openai: 'server_error', anthropic: 'api_error' },
  504: { openai: 'server_error', anthropic: 'timeout_error' },
};

/** The next try may go otherwise when the provider was at fault, or too many others were under way. */
export function mayRetry({ status }: Refusal): boolean {
  return status >= 502;
}

export function stopRefusal(reason: StopReason): Refusal {
  switch (reason.kind) {
    case 'tokens':
      return {
        status: 402,
        code: 'baton_budget_exceeded',
        message: `Baton ended this: ${reason.spent} of ${reason.max} tokens are used.`,
      };
    case 'cost':
      return {
        status: 402,
        code: 'baton_budget_exceeded',
        message: `Baton ended this: ${dollars(reason.spentMicroUsd)} of ${dollars(reason.maxMicroUsd)} are spent.`,
      };
    case 'price-missing':
      return {
        status: 402,
        code: 'baton_price_missing',
        message: `Baton ended this: money is limited, and there is no price for the model ${reason.model}.`,
      };
  }
}

function dollars(microUsd: number): string {
  return `$${(microUsd / 1_000_000).toFixed(4)}`;
}
