import { useEffect } from 'react';
import { setQuery, useAddress } from '../frame/address.js';
import { isTyping } from '../frame/use-keys.js';

/** The number of the attempt that the address names, else of the last one. In addresses they count from 1. */
export function useChosen(attempts: number): number {
  const named = Number(useAddress().query.get('handoff') ?? attempts) - 1;
  return Number.isInteger(named) && named >= 0 && named < attempts ? named : attempts - 1;
}

export function chooseHandoff(number: number): void {
  setQuery({ handoff: String(number + 1) });
}

/** J and K go on from the chosen one. */
export function useChoosingKeys(chosen: number, attempts: number): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = chosen + ({ j: 1, k: -1 }[event.key] ?? Number.NaN);
      if (next >= 0 && next < attempts) chooseHandoff(next);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [chosen, attempts]);
}
