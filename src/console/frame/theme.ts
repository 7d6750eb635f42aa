export type Theme = 'dark' | 'light';

const KEY = 'baton-theme';

/** What was chosen here before, else what the system wants. */
export function keptTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  if (kept === 'dark' || kept === 'light') return kept;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

export function switchTheme(): void {
  const other = document.documentElement.dataset.theme === 'light' ? 'dark' : 'light';
  localStorage.setItem(KEY, other);
  setTheme(other);
}
