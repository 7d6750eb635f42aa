import { Dialog } from './dialog.js';
import { SECTIONS } from './sections.js';

type Keys = readonly (readonly [keys: readonly string[], does: string])[];

const GROUPS: readonly (readonly [name: string, keys: Keys])[] = [
  [
    'Everywhere',
    [
      [['/'], 'Search runs, run a command'],
      [['N'], 'New job'],
      [['F'], 'Filter runs'],
      [['C'], 'Copy the command of this page'],
      [['Esc'], 'Close, or back'],
      [['?'], 'These keys'],
    ],
  ],
  ['Pages', SECTIONS.map(({ key, name }) => [['G', key.toUpperCase()], name] as const)],
  [
    'Lists and runs',
    [
      [['J', 'K'], 'Next and previous row'],
      [['⏎'], 'Open the row'],
      [['M'], 'Mark an item, to answer several at once'],
      [['.'], 'Show what is new, in order'],
      [['[', ']'], 'Tabs of a run'],
      [['←', '→'], 'One event back or forward'],
      [['Space'], 'Play the events of a run'],
      [['L'], 'All dependencies of a ledger'],
      [['Alt', '↑', '↓'], 'Move a queued job, on its card'],
    ],
  ],
  [
    'Sessions and answers',
    [
      [['⏎'], 'Send what is written'],
      [['Shift', '⏎'], 'A new line in it'],
      [['Esc'], 'Interrupt the task; it asks once'],
      [['I'], 'Facts in place of the conversation'],
      [['A'], 'Approve once'],
      [['S'], 'Approve for the session'],
      [['D'], 'Deny'],
      [['X'], 'Abort the task; ⏎ confirms'],
    ],
  ],
];

export function KeyList({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className="key-groups">
        {GROUPS.map(([name, keys]) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            <dl className="f">
              {keys.map(([pressed, does]) => (
                <div key={does} className="contents">
                  <dt>{does}</dt>
                  <dd className="keys">
                    {pressed.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
