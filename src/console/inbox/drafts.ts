/** Notes that were begun and not sent: they outlive looking at another item, a lost wire, and somebody else's answer. */
const drafts = new Map<number, string>();

export function draftOf(item: number): string {
  return drafts.get(item) ?? '';
}

export function keepDraft(item: number, note: string): void {
  if (note === '') drafts.delete(item);
  else drafts.set(item, note);
}
