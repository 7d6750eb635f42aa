import { useText } from '../envelope/use-text.js';
import { Lines, Words } from '../parts/shown-text.js';

type Props = { run: string; request: string; label?: string; className?: string };

/** The words of the orchestrator, which are quoted. */
export function Prompt({ run, request, label = 'The prompt', className = '' }: Props) {
  const { text, error } = useText(run, request);
  if (error) {
    return (
      <p className="bad">
        <Words text={error.message} />
      </p>
    );
  }
  if (text === null) return <div className="skel" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys
    <section className={`quote pre-line ${className}`} tabIndex={0} aria-label={label}>
      <Lines text={requestIn(text).prompt} />
    </section>
  );
}

/** What a request says; one that cannot be read is shown as it is. */
export function requestIn(text: string): { prompt: string; rest: Record<string, unknown> } {
  try {
    const { prompt, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return { prompt: typeof prompt === 'string' ? prompt : text, rest };
  } catch {
    return { prompt: text, rest: {} };
  }
}
