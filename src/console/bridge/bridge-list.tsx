import { CommandLine } from '../parts/command-line.js';
import { KindList } from '../runs/kind-list.js';
import { BridgeTable } from './bridge-table.js';

const BEGIN = 'baton bridge run -- python3 orchestrate.py';

/** Every bridge; those that wait for somebody stand on top when the page is opened. */
export function BridgeList() {
  return (
    <KindList kind="bridge" title="Bridges" begin={BEGIN} Table={BridgeTable}>
      <p className="t2">
        Programs that ask an agent and are resumed with its answer come here: who has the baton, which phase asks, and
        the files between them. Any program can do it: it writes a request, exits with 42, and is started again with{' '}
        <code>--resume</code>. Run one:
      </p>
      <CommandLine command={BEGIN} />
    </KindList>
  );
}
