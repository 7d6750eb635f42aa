import { goTo } from './address.js';
import type { IconName } from './icon.js';
import { logOut } from './log-out.js';
import { SECTIONS } from './sections.js';
import { switchTheme } from './theme.js';

export type PaletteCommand = { name: string; icon: IconName; keys: readonly string[]; does(): void };

/** What can be done from everywhere and fits the words; without words all of it. */
export function commandsFor(words: string, { onKeys }: { onKeys(): void }): readonly PaletteCommand[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const all: readonly PaletteCommand[] = [
    { name: 'New job', icon: 'plus', keys: ['N'], does: () => goTo('/runs?new=1') },
    ...SECTIONS.map(({ name, icon, key, to }) => ({
      ...{ name: `Go to ${name}`, icon, keys: ['G', key.toUpperCase()] },
      does: () => goTo(`/${to}`),
    })),
    { name: 'Verify the log now', icon: 'audit', keys: [], does: () => goTo('/audit?verify=1') },
    { name: 'Make a token', icon: 'key', keys: [], does: () => goTo('/system?token=1') },
    { name: 'Switch theme', icon: 'theme', keys: [], does: switchTheme },
    { name: 'Show all keys', icon: 'help', keys: ['?'], does: onKeys },
    { name: 'Log out', icon: 'leave', keys: [], does: () => void logOut() },
  ];
  const fitting = all.filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)));
  const search: PaletteCommand = {
    ...{ name: `Search all runs for “${words.trim()}”`, icon: 'search', keys: [] },
    does: () => goTo(`/runs?${new URLSearchParams({ view: 'all', q: words.trim() })}`),
  };
  return wanted.length === 0 ? all : [...fitting, search];
}
