import { Dialog } from './dialog.js';

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['/'], 'Search runs'],
  [['G', 'I'], 'Inbox'],
  [['G', 'R'], 'Runs'],
  [['G', 'U'], 'Audit'],
  [['G', 'S'], 'System'],
  [['J', 'K'], 'Next and previous row'],
  [['⏎'], 'Open the row'],
  [['[', ']'], 'Tabs of a run'],
  [['←', '→'], 'Event back and forward'],
  [['Space'], 'Play the events of a run'],
  [['M'], 'Mark an item, to answer several at once'],
  [['.'], 'Show what is new, in order'],
  [['N'], 'New job'],
  [['?'], 'These keys'],
];

export function KeyList({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="f in">
        {KEYS.map(([keys, does]) => (
          <div key={does} className="contents">
            <dt>{does}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
