import { useState } from 'react';
import { Icon } from '../frame/icon.js';
import { Words } from './shown-text.js';

/** The same act as a command, to copy. */
export function CommandLine({ command }: { command: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command);
    setCopied(true);
  };
  return (
    <div className="cli">
      <Icon name="prompt" size={14} />
      <Words text={command} />
      <button type="button" className="icon" aria-label={copied ? 'Copied' : 'Copy command'} onClick={copy}>
        <Icon name="copy" size={14} />
      </button>
    </div>
  );
}
