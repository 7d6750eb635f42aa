import type { EnvelopeBoard } from '../../client/index.js';
import { useLive } from '../live/live-context.js';
import { dollars } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { type BoardStage, stageWords } from './board-stage.js';
import type { Way } from './pipeline-ways.js';

type Props = { stages: readonly BoardStage[]; ways: readonly Way[]; moves: EnvelopeBoard['moves'] };

/** What the drawing shows: each stage, and each way from one to another. */
export function PipelineTable({ stages, ways, moves }: Props) {
  const { nowMs } = useLive();
  const known = new Set(ways.map(({ from, to }) => `${from} ${to}`));
  const others = moves.filter(({ from, to }) => !known.has(`${from} ${to}`));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys
    <section className="scroll-x" tabIndex={0} aria-label="Stages and ways as tables">
      <table>
        <thead>
          <tr>
            <th scope="col">Stage</th>
            <th scope="col">Now</th>
            <th scope="col" className="r">
              Times at work
            </th>
            <th scope="col" className="r">
              LLM calls
            </th>
            <th scope="col" className="r">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {stages.map((stage) => (
            <tr key={stage.name}>
              <td>
                <Words text={stage.name} />
              </td>
              <td className="t2">{stageWords(stage, nowMs)}</td>
              <td className="num">{stage.passes.length}</td>
              <td className="num">{stage.calls}</td>
              <td className="num">{dollars(stage.costUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">When</th>
            <th scope="col" className="r">
              Gone
            </th>
          </tr>
        </thead>
        <tbody>
          {[...ways, ...others.map((move) => ({ ...move, when: [] }))].map(({ from, to, when, count }) => (
            <tr key={`${from} ${to}`}>
              <td>
                <Words text={endWord(from)} />
              </td>
              <td>
                <Words text={endWord(to)} />
              </td>
              <td className="t2">
                <Words text={when.join(' or ')} />
              </td>
              <td className="num">{count === 0 ? 'never' : `${count}×`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const ENDS: Readonly<Record<string, string>> = {
  start: 'the beginning',
  answer: 'your answer',
  end: 'the end',
  clarification: 'you, with a question',
  confirmation: 'you, for a yes or no',
};

function endWord(name: string): string {
  return ENDS[name] ?? name;
}
