import type { JobObject } from './job-shapes.js';

/** Something that waits for a person, or has. */
export type InboxItem = {
  item: number;
  run_id: string;
  kind: string;
  status: 'open' | 'closed';
  title: string;
  question: string;
  created_at: string;
  expires_at: string | null;
  details: Readonly<Record<string, unknown>>;
  /** Who began the run that asks. */
  made_by: string | null;
  /** Why whoever looks may not answer it. */
  barred: string | null;
  answered: ItemAnswer | null;
};

/** Who answered an item, when, and what it was, as in "eva denied this". */
export type ItemAnswer = { by: string; at: string; did: string };

/** What came of an answer; the job's own fields are there when it was about one. */
export type Answered = Partial<JobObject> & { item: number; said: string };
