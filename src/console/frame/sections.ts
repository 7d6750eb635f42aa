import type { IconName } from './icon.js';

export type Section = { to: string; name: string; icon: IconName; key: string; group?: string };

/** Pages, in the order of the navigation, with the letter that follows G. */
export const SECTIONS: readonly Section[] = [
  { to: 'inbox', name: 'Inbox', icon: 'inbox', key: 'i' },
  { to: 'runs', name: 'Runs', icon: 'runs', key: 'r' },
  { to: 'jobs', name: 'Jobs', icon: 'jobs', key: 'j', group: 'Work' },
  { to: 'operator', name: 'Operator', icon: 'operator', key: 'o' },
  { to: 'envelopes', name: 'Envelopes', icon: 'envelopes', key: 'e' },
  { to: 'sessions', name: 'Sessions', icon: 'sessions', key: 's' },
  { to: 'bridges', name: 'Bridges', icon: 'bridges', key: 'b' },
  { to: 'costs', name: 'Costs', icon: 'costs', key: 'c', group: 'Proof' },
  { to: 'audit', name: 'Audit', icon: 'audit', key: 'u' },
  { to: 'system', name: 'System', icon: 'system', key: 'y' },
];

export function sectionName(to: string): string {
  return SECTIONS.find((section) => section.to === to)?.name ?? 'Nothing here';
}
