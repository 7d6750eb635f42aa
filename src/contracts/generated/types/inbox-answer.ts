// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What a person answers to an item of the inbox.
 */
export interface InboxAnswerBody {
  /**
   * Yes or no.
   */
  decision?: 'approve' | 'approve_for_session' | 'deny' | 'abort';
  /**
   * Words that go with it.
   */
  text?: string;
  /**
   * The same, as the command line calls it.
   */
  guidance?: string;
  /**
   * The new total of the limit that was reached.
   */
  raise?: number;
  /**
   * So that it is not asked again: true, or for so many days.
   */
  always?: boolean | number;
}
