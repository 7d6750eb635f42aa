/** What a person answers, whatever is asked. `raise` is the new total of the limit that was reached, in its own unit. */
export type Answer = {
  decision?: 'approve' | 'deny';
  text?: string;
  raise?: number;
  /** So that it is not asked again, for so many days; null is as long as usual. */
  always?: { days: number | null };
};

/** The same with what only sessions tell apart. */
export type GivenAnswer = Omit<Answer, 'decision'> & {
  decision?: NonNullable<Answer['decision']> | 'approve_for_session' | 'abort';
};

/** For whoever knows only yes and no. */
export function plainAnswer({ decision, ...rest }: GivenAnswer): Answer {
  if (decision === undefined) return rest;
  return { ...rest, decision: decision === 'approve' || decision === 'approve_for_session' ? 'approve' : 'deny' };
}
