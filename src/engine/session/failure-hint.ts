import { ERRORS } from '../../contracts/shared/errors.js';
import type { FailureKind } from '../../core/kernel/effect.js';
import type { SessionEvent } from '../../core/session/session-messages.js';

type Failure = Extract<SessionEvent, { type: 'TaskFailed' }>;

/** What helps, by the way in which a model failed; whatever is not here has the hint of its code. */
const HINTS: Readonly<Partial<Record<FailureKind, string>>> = {
  auth: 'Set the key where Baton is started (OPENAI_API_KEY, or what baton doctor names) and start that process anew; then send the input again.',
  limit: 'The provider lets no more through for now: send the input again later, or choose another model.',
  network: 'Check the address and the way there (baton doctor), then send the input again.',
  'not-found': 'Check the address and the name of the model, then send the input again.',
};

export function failureHint({ code, kind, retryAtMs }: Pick<Failure, 'code' | 'kind' | 'retryAtMs'>): string {
  if (retryAtMs !== undefined) {
    const time = new Date(Math.ceil(retryAtMs / 1_000) * 1_000).toISOString().replace('.000', '');
    return `Its provider can be asked again at ${time}: send the input again then, or choose another model.`;
  }
  return (code === 'MODEL_FAILED' && kind && HINTS[kind]) || ERRORS[code].hint;
}
