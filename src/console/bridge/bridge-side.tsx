import type { BridgeBoard } from '../../client/index.js';
import { Card } from '../parts/card.js';
import { CommandLine } from '../parts/command-line.js';
import { clockTime } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { useEvents } from '../run/event-table.js';
import { bridgeCommand } from './bridge-words.js';
import { FilesCard } from './files-card.js';

const EVENTS_SHOWN = 8;
/** What scrolls can be reached by keys. */
const TABBED = 0;

/** The files, the command that goes on with it, and what happened last. */
export function BridgeSide({ board }: { board: BridgeBoard }) {
  return (
    <div className="stack">
      <FilesCard board={board} />
      <Card title="By hand">
        <div className="in stack-s">
          <p className="t2">{handWords(board)}</p>
          <CommandLine command={bridgeCommand(board)} />
        </div>
      </Card>
      <LastEvents board={board} />
    </div>
  );
}

function handWords({ status, command }: BridgeBoard): string {
  switch (status) {
    case 'waiting':
      return 'Whoever can reach the folder can answer: a person, a script or another agent. The text is the answer.';
    case 'interrupted':
    case 'failed':
      return command === null ? 'Its next request is taken by whoever watches.' : 'This goes on where it was.';
    case 'watching':
      return 'This answers whatever is asked in the folder.';
    case 'done':
    case 'abandoned':
      return 'This begins anew.';
    default:
      return 'This shows the same in a terminal.';
  }
}

function LastEvents({ board: { run_id: run, event } }: { board: BridgeBoard }) {
  const events = useEvents(run, event, EVENTS_SHOWN);
  return (
    <Card title="Last events">
      <ul className="plain tight versions" tabIndex={TABBED}>
        {(events ?? []).toReversed().map(({ position, seq, type, at }) => (
          <li key={position}>
            <Words text={type} className="m el" />
            <span className="num t3">{seq}</span>
            <span className="num t3">{clockTime(at)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
