import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { REQUEST_FILE, STATE_FILE } from '../../src/contracts/bridge/bridge-file-names.js';
import { behavesAsOrchestrator } from './behaves-as-orchestrator.js';
import { LIBRARY } from './orchestrated.js';
import { ANALYSIS, Played } from './played.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('an orchestrator with baton/bridge', () => {
  behavesAsOrchestrator(LIBRARY);

  test('writes where it was opened, although it went elsewhere before it asked', () => {
    const played = new Played();
    const program = `import { openBridge } from 'baton/bridge';
      const bridge = openBridge({ dir: ${JSON.stringify(path.relative(ROOT, played.dir))} });
      process.chdir('/');
      await bridge.ask(${JSON.stringify(ANALYSIS)});`;
    const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT });
    expect(status).toBe(42);
    expect(played.files).toEqual([REQUEST_FILE, STATE_FILE]);
  });
});
