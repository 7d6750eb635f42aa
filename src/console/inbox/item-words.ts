import type { InboxItem } from '../../client/index.js';

const KINDS: Readonly<Record<string, string>> = {
  intervention: 'Intervention',
  approval: 'Result approval',
  exec_approval: 'Command approval',
  patch_approval: 'Patch approval',
  limit: 'Limit',
  login: 'Login',
  landing: 'Landing',
  protected: 'Protected files',
};

export function kindWord({ kind, title }: InboxItem): string {
  if (isTurn({ kind, title })) return 'Your turn';
  return KINDS[kind] ?? kind;
}

/** It is a person's own phase, and not a question about somebody else's. */
export function isTurn({ kind, title }: Pick<InboxItem, 'kind' | 'title'>): boolean {
  return kind === 'intervention' && title.startsWith('your turn');
}

/** What is asked; of a command it is the command itself that is asked about, which stands below as it is. */
export function questionOf(item: InboxItem): string {
  if (item.kind === 'patch_approval') return 'May it make this change?';
  if (item.kind !== 'exec_approval') return item.question;
  return typeof item.details.host === 'string' ? 'May it reach this host?' : 'May it run this command?';
}

/** Why it came to a person, in Baton's own words. */
export function whyOf({ kind, title, details }: InboxItem): string {
  const { reason, why } = details;
  switch (kind) {
    case 'exec_approval':
    case 'patch_approval':
      return typeof why === 'string' ? `Asked because: ${why}.` : 'No rule allows it, so a person decides.';
    case 'approval':
      return 'This job was made with approval: nothing counts as done before a person has said so.';
    case 'protected':
      return 'Files that this job protects differ from where it began. Checks ran with the protected ones.';
    case 'limit':
      return typeof reason === 'string' ? sentence(reason) : 'It stopped before it would spend more than its limit.';
    case 'login':
      return 'An agent could not log in. Whoever needs it waits, and nobody is asked in vain.';
    case 'landing':
      return 'The work could not be brought home by itself.';
    default:
      return typeof reason === 'string' ? sentence(reason) : `It cannot go on by itself: ${title}.`;
  }
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? '' : '.');
}
