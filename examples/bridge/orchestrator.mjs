// The same as orchestrator.py, with the library: node orchestrator.mjs, or under a handler:
// baton bridge run --agent claude -- node orchestrator.mjs
// Each of the two can be resumed by the other: they write the same files.
import { renameSync, writeFileSync } from 'node:fs';
import { BridgeCancelled, BridgeFailed, openBridge } from 'baton/bridge';

const ANALYSIS =
  '# Codebase analysis\n\nLook at the files of this project. Answer with one JSON object: primary_language, a word, ' +
  'and overall_confidence, a number from 0 to 1.';
const CREATION = (language) =>
  `# Agent creation\n\nThe project is written in ${language}. Name the one specialist that would help most with work ` +
  'on it, and say in a sentence what it is for. Answer with plain text.';
const ENHANCEMENT = (description) =>
  '# Agent enhancement\n\nImprove this description of an agent, keep its purpose, and add one worked example. Answer ' +
  `with the complete text.\n\n${description}`;

try {
  await main();
} catch (problem) {
  if (!(problem instanceof BridgeFailed || problem instanceof BridgeCancelled)) throw problem;
  console.error(`orchestrator: ${problem.message}`);
  process.exitCode = 1;
}

async function main() {
  const bridge = openBridge({ log: console.log });

  const analysis = await bridge.ask({
    phase: 1,
    phase_name: 'codebase_analysis',
    agent_name: 'architectural-reviewer',
    prompt: ANALYSIS,
    read: languageIn,
    fallback: () => 'unknown',
  });
  bridge.data.language = analysis.value;
  bridge.completed({ phase: 1, phase_name: 'codebase_analysis', result_summary: `The language is ${analysis.value}` });

  const created = await bridge.ask({
    phase: 6,
    phase_name: 'agent_creation',
    agent_name: 'architectural-reviewer',
    prompt: CREATION(analysis.value),
  });
  bridge.completed({ phase: 6, phase_name: 'agent_creation', result_summary: 'Described one agent' });

  const enhanced = await bridge.ask({
    phase: 7,
    phase_name: 'agent_enhancement',
    agent_name: 'agent-content-enhancer',
    prompt: ENHANCEMENT(created.value),
    fallback: () => created.value,
  });
  bridge.completed({ phase: 7, phase_name: 'agent_enhancement', result_summary: 'Enhanced one agent' });

  writeResult({ language: analysis.value, agent: created.value, enhanced: enhanced.value });
  bridge.finish();
}

function languageIn(text) {
  const { primary_language } = JSON.parse(text);
  if (typeof primary_language !== 'string') throw new Error('primary_language is missing');
  return primary_language;
}

/** Whole or not at all: whoever is killed here is resumed and writes it again. */
function writeResult(result) {
  writeFileSync('result.json.tmp', `${JSON.stringify(result, null, 2)}\n`);
  renameSync('result.json.tmp', 'result.json');
}
