import type { BridgeCrossing } from '../../client/index.js';
import { gateOf, judgeConfidence } from '../../contracts/bridge/confidence-gate.js';

/** How sure an answer is of itself, with marks at the two lines of the gate. */
export function ConfidenceMeter({ crossing }: { crossing: BridgeCrossing }) {
  const { confidence, phase, phase_name, status } = crossing;
  if (status !== 'success') return null;
  const gate = gateOf({ phase, phase_name });
  const lines = `${gate.go.toFixed(2)} and ${gate.warn.toFixed(2)}`;
  if (confidence === null) {
    return <p className="sm t2">The answer does not say how sure it is. The gate lets it pass with a warning.</p>;
  }
  const { pass, warning } = judgeConfidence(confidence, gate);
  return (
    <div className="confidence">
      <div className="row">
        <span>Confidence</span>
        <b className="num-l">{confidence.toFixed(2)}</b>
        <span className={`chip ${pass && warning === null ? 'ok' : pass ? '' : 'bad'}`}>
          {pass && warning === null ? 'goes on' : pass ? 'goes on with a warning' : 'fallback'}
        </span>
        <span className="sp" />
        <span className="sm t3">the gate's lines: {lines}</span>
      </div>
      <div
        className="meter"
        role="img"
        aria-label={`Confidence ${confidence.toFixed(2)}; the gate has lines at ${lines}`}
      >
        <i style={{ width: `${Math.max(0, Math.min(1, confidence)) * 100}%`, background: 'var(--d3)' }} />
        <b style={{ left: `${gate.warn * 100}%` }} />
        <b style={{ left: `${gate.go * 100}%` }} />
      </div>
    </div>
  );
}
