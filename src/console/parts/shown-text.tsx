import { useState } from 'react';
import { LINE_LENGTH_MAX, shownText } from './visible.js';

type Props = { text: string; className?: string };

/** Text of others on one line: never markup, never able to change what stands beside it. */
export function Words({ text, className = '' }: Props) {
  const line = text.length > LINE_LENGTH_MAX ? `${text.slice(0, LINE_LENGTH_MAX)}…` : text;
  return <span className={`iso ${className}`}>{shownText(line.replace(/\s*\n\s*/g, ' '))}</span>;
}

/** Text of others as it is, line by line. What is very long is cut, and says how much there is. */
export function Lines({ text, className = '', as: Box = 'div' }: Props & { as?: 'div' | 'span' }) {
  const [whole, setWhole] = useState(false);
  const { shown, cut } = whole ? { shown: text, cut: 0 } : shortened(text);
  return (
    <Box className={`iso ${className}`}>
      {shownText(shown)}
      {cut > 0 && (
        <>
          {' '}
          <button type="button" className="btn s" onClick={() => setWhole(true)}>
            Show {sizeOf(cut)} more
          </button>
        </>
      )}
    </Box>
  );
}

const LINES_MAX = 400;

function shortened(text: string): { shown: string; cut: number } {
  const lines = text.split('\n').slice(0, LINES_MAX);
  const shown = lines.map((line) => line.slice(0, LINE_LENGTH_MAX)).join('\n');
  return { shown, cut: text.length - shown.length };
}

function sizeOf(characters: number): string {
  if (characters < 1_000) return `${characters} characters`;
  return characters < 1_000_000 ? `${(characters / 1_000).toFixed(1)} kB` : `${(characters / 1_000_000).toFixed(1)} MB`;
}
