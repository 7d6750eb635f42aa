import { Words } from '../parts/shown-text.js';

/** What came of an act; or, when what is shown could not be read anew, that it may be old. */
export function SaidLine({ said, error = null }: { said: string; error?: Error | null }) {
  return (
    <p className={said === '' && !error ? 'vh' : 'sm t2'} role="status">
      <Words text={error ? `What is shown may be old: ${error.message}.` : said} />
    </p>
  );
}
