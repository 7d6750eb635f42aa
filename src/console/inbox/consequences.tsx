import type { AnswerSpec } from './answers.js';

type Props = { answers: readonly AnswerSpec[]; focused: string | null };

/** What each answer does; one that is not offered stands there too, with the reason. */
export function Consequences({ answers, focused }: Props) {
  return (
    <div className="cons">
      {answers.map(({ key, name, does, barred }) => (
        <div key={key} className={`${focused === key ? 'on' : ''} ${barred === undefined ? '' : 'off'}`}>
          <kbd>{key}</kbd>
          <span className="b">{name}</span>
          <span className="t2">{barred === undefined ? does : `Not offered: ${barred}`}</span>
        </div>
      ))}
    </div>
  );
}
