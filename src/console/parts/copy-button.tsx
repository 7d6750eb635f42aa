import { useState } from 'react';
import { Icon } from '../frame/icon.js';

/** Copies a text, and says that it did. A large one is made when it is wanted. */
export function CopyButton({ text, what }: { text: string | (() => string); what: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
    setCopied(true);
  };
  return (
    <button type="button" className="btn s" onClick={copy}>
      <Icon name="copy" size={12} />
      {copied ? 'Copied' : `Copy ${what}`}
    </button>
  );
}
