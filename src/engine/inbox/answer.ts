/** What a person answers, whatever is asked. `raise` is the new total of the limit that was reached, in its own unit. */
export type Answer = {
  decision?: 'approve' | 'deny';
  text?: string;
  raise?: number;
  /** So that it is not asked again, for so many days; null is as long as usual. */
  always?: { days: number | null };
};
