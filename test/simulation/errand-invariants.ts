import { errandDecider } from '../../src/core/errand/errand-decider.js';
import type { ErrandEvent } from '../../src/core/errand/errand-messages.js';
import type { Machine } from '../../src/engine/machines.js';
import type { EventRow } from '../../src/engine/ports.js';
import { nodeHasher } from './node-hasher.js';
import { answerTo } from './sim-answers.js';
import type { KindInvariants } from './told.js';

const ENDS = ['ErrandDone', 'ErrandFailed', 'ErrandCanceled'];

export const errandInvariants: KindInvariants = {
  machine: errandDecider as unknown as Machine,
  problems: ({ run, rows, events }) => [...askProblems(events as readonly ErrandEvent[], run), ...onceProblems(rows)],
};

/** Asks are numbered and never overlap, each has one result, and steps are answered once each and in order. */
function askProblems(events: readonly ErrandEvent[], run: string): string[] {
  const problems: string[] = [];
  let asks = 0;
  let steps = 0;
  let open = false;
  for (const event of events) {
    switch (event.type) {
      case 'StepAsked':
        asks += 1;
        if (open || event.attempt !== asks || event.step !== steps + 1) problems.push(`ask ${event.attempt} is wrong`);
        open = true;
        break;
      case 'StepAnswered':
        steps += 1;
        if (event.step !== steps) problems.push(`step ${event.step} is answered as number ${steps}`);
        if (event.answer.sha256 !== nodeHasher.sha256(answerTo(run, `ask-${asks}`))) {
          problems.push(`ask ${asks} has the answer to another one`);
        }
        if (!open) problems.push(`step ${event.step} is answered but was not asked`);
        open = false;
        break;
      case 'StepFailed':
      case 'StepLost':
        if (!open || event.step !== steps + 1) problems.push(`${event.type} of step ${event.step}, which is not asked`);
        open = false;
    }
  }
  return problems;
}

function onceProblems(rows: readonly EventRow[]): string[] {
  const problems: string[] = [];
  const reporters = rows.filter(({ type }) => type === 'ReportReceived').map(({ actor }) => actor);
  if (new Set(reporters).size < reporters.length) problems.push('somebody reported twice');
  const ends = rows.filter(({ type }) => ENDS.includes(type)).length;
  if (ends > 1) problems.push(`ended ${ends} times`);
  return problems;
}
