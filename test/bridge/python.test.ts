import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { reportedConfidence } from '../../src/contracts/bridge/bridge-answer.js';
import { REQUEST_FILE, STATE_FILE } from '../../src/contracts/bridge/bridge-file-names.js';
import { behavesAsOrchestrator } from './behaves-as-orchestrator.js';
import { EXAMPLES, LIBRARY, Orchestrated, PYTHON, RESULT } from './orchestrated.js';

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

  const unsure = '{"overall_confidence": 0.3}';
  test.each<[what: string, text: string, confidence: number | null]>([
    ['JSON alone', ` ${unsure}\n`, 0.3],
    ['JSON in a fence', `\`\`\`json\n${unsure}\n\`\`\``, 0.3],
    ['JSON in a fence without a name, with words around it', `Here:\n\`\`\` \r\n${unsure}\r\n\`\`\`\nDone.`, 0.3],
    ['a fence inside the JSON', '```JSON\n{"text": "```\\nx\\n```", "confidence": 0.4}\n```', 0.4],
    ['two fences', `\`\`\`json\n${unsure}\n\`\`\`\n\`\`\`json\n${unsure}\n\`\`\``, null],
    ['a fence that is not closed', `\`\`\`json\n${unsure}`, null],
    ['a fence of another language', `\`\`\`python\n${unsure}\n\`\`\``, null],
    ['JSON within words', `It is ${unsure}.`, null],
    ['a list', `[${unsure}]`, null],
    ['a share above one', '{"overall_confidence": 30}', null],
    ['nothing', '', null],
  ])('read the same confidence out of %s', (_, response, confidence) => {
    const program =
      'import json, sys, baton_bridge as b; print(json.dumps(b.reported_confidence(json.load(sys.stdin))))';
    const { stdout } = spawnSync('python3', ['-c', program], {
      ...{ input: JSON.stringify({ response }), encoding: 'utf8' },
      env: { ...process.env, PYTHONPATH: EXAMPLES, PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect([JSON.parse(stdout), reportedConfidence({ response })]).toEqual([confidence, confidence]);
  });
});
