import type { BridgeBoard } from '../../client/index.js';
import { Card } from '../parts/card.js';
import { CommandLine } from '../parts/command-line.js';
import { LastEvents } from '../run/last-events.js';
import { bridgeCommand } from './bridge-words.js';
import { FilesCard } from './files-card.js';

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
      <LastEvents run={board.run_id} event={board.event} />
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
