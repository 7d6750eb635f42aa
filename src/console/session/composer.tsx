import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { SessionBoard, SessionTurn, Submission } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { Words } from '../parts/shown-text.js';
import { composerHint } from './session-words.js';

type Props = { board: SessionBoard; fork: SessionTurn | null; onFork(turn: SessionTurn | null): void };

/** Where somebody says what should be done. ⏎ sends it, Shift ⏎ is a new line. */
export function Composer({ board, fork, onFork }: Props) {
  const { who } = useLive();
  const [text, setText] = useState('');
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (fork) field.current?.focus();
  }, [fork]);
  const isBarred = who !== null && !who.may.includes('session.input');
  const isOff = sending || isBarred || board.status === 'closed';
  const send = async (): Promise<void> => {
    if (isOff || text.trim() === '') return;
    setSending(true);
    setProblem(null);
    try {
      await client.sessions.submit(board.run_id, inputOf(text, fork));
      setText('');
      onFork(null);
    } catch (failure) {
      setProblem(`It was not sent: ${(failure as Error).message}.`);
    }
    setSending(false);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  const hint = composerHint(board, fork?.turn ?? null);
  return (
    <div className="composer">
      <div className="box">
        <textarea
          ref={field}
          aria-label="What should be done"
          aria-describedby="composer-hint"
          rows={Math.min(8, text.split('\n').length)}
          value={text}
          disabled={isBarred || board.status === 'closed'}
          placeholder={hint}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
        />
        <div className="row">
          <p id="composer-hint" className="sm t3" role="status">
            {problem === null ? <Hint hint={hint} isTyped={text !== ''} /> : <Words text={problem} className="bad" />}
            {isBarred && ` You are ${who.role}; sessions take words from orchestrators and above.`}
          </p>
          {fork && (
            <button type="button" className="btn s" onClick={() => onFork(null)}>
              Do not fork
            </button>
          )}
          <span className="sp" />
          <button type="button" className="btn p s" disabled={isOff || text.trim() === ''} onClick={() => void send()}>
            Send<kbd>⏎</kbd>
          </button>
        </div>
      </div>
    </div>
  );
}

/** In the field itself as long as it is empty; below it once somebody types. */
function Hint({ hint, isTyped }: { hint: string; isTyped: boolean }) {
  return <span className={isTyped ? '' : 'vh'}>{hint}</span>;
}

function inputOf(text: string, fork: SessionTurn | null): Submission {
  const from = fork?.response_id ? { last_response_id: fork.response_id } : {};
  return { id: crypto.randomUUID(), op: { type: 'user_input', items: [{ type: 'text', text }], ...from } };
}
