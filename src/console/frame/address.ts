import { useSyncExternalStore } from 'react';

/** Where the console is: everything that is shown has an address, and Back always works. */
const watchers = new Set<() => void>();

function watch(call: () => void): () => void {
  watchers.add(call);
  addEventListener('popstate', call);
  return () => {
    watchers.delete(call);
    removeEventListener('popstate', call);
  };
}

export function goTo(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  for (const call of watchers) call();
}

export function useAddress(): { path: readonly string[]; query: URLSearchParams } {
  const address = useSyncExternalStore(watch, () => location.pathname + location.search);
  const [path = '', query = ''] = address.split('?');
  return { path: path.split('/').filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
}

/** Changes what stands behind the question mark, and keeps the rest. */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  }
  goTo(location.pathname + (query.size > 0 ? `?${query}` : ''), { replace: true });
}
