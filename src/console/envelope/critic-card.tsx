import type { EnvelopeBoard, EnvelopePass } from '../../client/index.js';
import { Card } from '../parts/card.js';
import { clockTime } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { Glyph } from '../parts/status.js';
import { type BoardStage, passName } from './board-stage.js';
import { useText } from './use-text.js';

const LOOKS = {
  approved: { glyph: 'tick', tone: 'ok', word: 'approved' },
  reintent: { glyph: 'back', tone: 'rest', word: 'sent back to the intent' },
  next_stage: { glyph: 'tick', tone: 'ok', word: 'next stage' },
} as const;

/** Every verdict with its words, the newest last; feedback that came with the envelope stands before them. */
export function CriticCard({ board, stages }: { board: EnvelopeBoard; stages: readonly BoardStage[] }) {
  const passes = (stages.find(({ output_key }) => output_key === 'critic')?.passes ?? []).filter(
    ({ output }) => output !== null,
  );
  const { critic_feedback: feedback = [] } = board.envelope;
  if (passes.length === 0 && feedback.length === 0) return null;
  return (
    <Card title="Critic" beside={<span className="sm t3">{verdicts(passes.length)}</span>}>
      <ul className="in stack critic">
        {passes.length === 0 && feedback.map((text) => <Feedback key={text} text={text} />)}
        {passes.map((pass) => (
          <Verdict key={pass.number} run={board.run_id} pass={pass} passes={passes} />
        ))}
      </ul>
    </Card>
  );
}

function verdicts(count: number): string {
  return count === 1 ? '1 verdict' : `${count} verdicts`;
}

function Feedback({ text }: { text: string }) {
  return (
    <li className="row at-top">
      <Glyph glyph="back" tone="rest" />
      <Lines text={text} className="quote" />
    </li>
  );
}

type VerdictProps = { run: string; pass: EnvelopePass; passes: readonly EnvelopePass[] };

function Verdict({ run, pass, passes }: VerdictProps) {
  const { text } = useText(run, pass.output);
  const { verdict, feedback } = saidIn(text);
  const look = Object.hasOwn(LOOKS, verdict) ? LOOKS[verdict as keyof typeof LOOKS] : null;
  return (
    <li className="row at-top">
      <Glyph glyph={look?.glyph ?? 'ring'} tone={look?.tone ?? 'rest'} />
      <div className="sp">
        <Words text={look?.word ?? verdict} className="b" />{' '}
        <span className="t3">
          {passName(pass, passes)}, {clockTime(pass.ended_at ?? pass.started_at)}
        </span>
        {feedback !== '' && <Lines text={feedback} className="quote" />}
      </div>
    </li>
  );
}

function saidIn(text: string | null): { verdict: string; feedback: string } {
  try {
    const { verdict, feedback } = JSON.parse(text ?? '{}') as Record<string, unknown>;
    return { verdict: String(verdict ?? ''), feedback: typeof feedback === 'string' ? feedback : '' };
  } catch {
    return { verdict: '', feedback: '' };
  }
}
