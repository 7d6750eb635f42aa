/** An answer that is as sure as `go` is used; one as sure as `warn` is used with a warning; below, the fallback is. */
export type ConfidenceGate = { go: number; warn: number };
export type GateVerdict = { pass: boolean; warning: string | null };

const USUAL: ConfidenceGate = { go: 0.85, warn: 0.7 };
const ENHANCEMENT: ConfidenceGate = { go: 0.8, warn: 0.6 };

export function gateOf({ phase, phase_name }: { phase: number; phase_name: string }): ConfidenceGate {
  return phase === 7 || phase_name === 'agent_enhancement' ? ENHANCEMENT : USUAL;
}

/** Only what was reported can be too low: an answer that says nothing is used, and somebody is told. */
export function judgeConfidence(confidence: number | null, gate: ConfidenceGate): GateVerdict {
  if (confidence === null) return { pass: true, warning: 'the answer does not say how sure it is' };
  if (confidence >= gate.go) return { pass: true, warning: null };
  const pass = confidence >= gate.warn;
  return { pass, warning: `confidence ${confidence} is below ${pass ? gate.go : gate.warn}` };
}
