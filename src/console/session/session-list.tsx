import { CommandLine } from '../parts/command-line.js';
import { KindList } from '../runs/kind-list.js';
import { SessionTable } from './session-table.js';

const BEGIN = 'baton chat';

/** Every session; those that wait for somebody stand on top when the page is opened. */
export function SessionList() {
  return (
    <KindList kind="session" title="Sessions" begin={BEGIN} Table={SessionTable}>
      <p className="t2">
        Conversations with a model that has hands come here: what it says, runs and changes, and what it may do only
        when you say yes. Any program can attach to one over any transport. Begin one in a folder:
      </p>
      <CommandLine command={BEGIN} />
    </KindList>
  );
}
