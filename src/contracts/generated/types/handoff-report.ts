// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What somebody who took work says about it.
 */
export interface HandoffReportBody {
  /**
   * What the claim was answered with.
   */
  token: string;
  /**
   * A line of its log, or its answer.
   */
  text?: string;
  /**
   * Its answer: text, or the object itself.
   */
  answer?:
    | string
    | {
        [k: string]: unknown;
      };
  /**
   * Why there is no answer.
   */
  failure?:
    'network' | 'limit' | 'login' | 'auth' | 'not-found' | 'timeout' | 'crash' | 'refused' | 'disk-full' | 'workspace';
  /**
   * In words.
   */
  reason?: string;
  /**
   * When the provider takes requests again.
   */
  retry_after_s?: number;
}
