import { useEffect, useRef } from 'react';
import { isTyping } from '../../frame/use-keys.js';

type Keys = { back(): void; forward(): void; toggle(): void };

const OWN_SPACE = 'button, a, [role=tab], [role=option], summary';

/** ← and → are an event, Space plays; a button in focus keeps its own Space. */
export function useTimeKeys(keys: Keys): void {
  const kept = useRef(keys);
  kept.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]')) return;
      const does = { ArrowLeft: kept.current.back, ArrowRight: kept.current.forward, ' ': kept.current.toggle }[
        event.key
      ];
      if (!does || (event.key === ' ' && event.target instanceof Element && event.target.closest(OWN_SPACE))) return;
      event.preventDefault();
      does();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
