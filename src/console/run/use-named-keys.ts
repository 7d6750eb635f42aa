import { useEffect } from 'react';
import { setQuery } from '../frame/address.js';
import { isTyping } from '../frame/use-keys.js';

/** J and K go from name to name; `field` is where the address holds the chosen one. */
export function useNamedKeys(field: string, names: readonly string[], chosen: string | undefined): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { j: 1, k: -1 }[event.key];
      if (step === undefined || document.querySelector('dialog[open]')) return;
      const next = names[names.indexOf(chosen ?? '') + step];
      if (next !== undefined) setQuery({ [field]: next });
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}
