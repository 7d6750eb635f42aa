import { goTo, useAddress } from '../../frame/address.js';

/** The event that the address names; null is now. */
export function useAt(): number | null {
  const text = useAddress().query.get('at') ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** Leaving the present can be gone back from; steps within the past cannot, or Back would be a long way. */
export function showEvent(event: number | null): void {
  const query = new URLSearchParams(location.search);
  const replace = query.has('at');
  if (event === null) query.delete('at');
  else query.set('at', String(event));
  goTo(location.pathname + (query.size > 0 ? `?${query}` : ''), { replace });
}
