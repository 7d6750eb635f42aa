import { describe, expect, test } from 'vitest';
import { REQUEST_FILE, STATE_FILE } from '../../src/contracts/bridge/bridge-file-names.js';
import { behavesAsOrchestrator } from './behaves-as-orchestrator.js';
import { LIBRARY, Orchestrated, PYTHON, RESULT } from './orchestrated.js';

describe('an orchestrator with baton_bridge.py', () => behavesAsOrchestrator(PYTHON));

describe('both orchestrators', () => {
  test('write the same files, to the byte', () => {
    const [library, python] = [new Orchestrated(), new Orchestrated()];
    library.run(LIBRARY);
    python.run(PYTHON);
    for (let asks = 0; asks < 3; asks += 1) {
      for (const name of [REQUEST_FILE, STATE_FILE]) expect(python.comparable(name)).toBe(library.comparable(name));
      library.handle();
      python.handle();
      library.run(LIBRARY, ['--resume']);
      python.run(PYTHON, ['--resume']);
    }
    expect([library.text('result.json'), python.text('result.json')]).toEqual([RESULT, RESULT]);
  });

  test('go on where the other one stopped', () => {
    const stage = new Orchestrated();
    stage.run(PYTHON);
    for (const next of [LIBRARY, PYTHON, LIBRARY]) {
      stage.handle();
      stage.run(next, ['--resume']);
    }
    expect(stage.text('result.json')).toBe(RESULT);
    expect(stage.asked.size).toBe(3);
    expect(stage.files).toEqual([]);
  });
});
