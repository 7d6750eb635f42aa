import type { InboxItem } from '../../client/index.js';
import type { Holding, Wanted } from '../session/approval-thing.js';

/** What the model of a session wants to do, as the page of the session has it too; null when another kind of run asks. */
export function wantedIn({ details }: Pick<InboxItem, 'details'>): Wanted | null {
  const { session, call_id: call, wants, argv, changes, arguments: given, hash, where } = details;
  if (session !== true || typeof call !== 'string') return null;
  return {
    ...{ call_id: call, hash: String(hash), where: where === 'outside' ? 'outside' : 'inside' },
    kind: wants === 'patch' || wants === 'mcp' ? wants : 'exec',
    command: Array.isArray(argv) ? argv.map(String) : null,
    changes: typeof changes === 'object' && changes !== null ? (changes as Record<string, unknown>) : null,
    arguments: given ?? null,
    cwd: textOf(details.cwd),
    ...{ reason: textOf(details.reason), justification: textOf(details.justification) },
    again: details.again === 'unknown' || details.again === 'denied' ? details.again : null,
  };
}

export function holdingIn({ details }: Pick<InboxItem, 'details'>): Holding {
  const { session_cwd: cwd, sandbox_mode: mode, network_access: isOpen } = details;
  return { cwd: textOf(cwd) ?? '', mode: textOf(mode) ?? '', isOpen: isOpen === true };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
