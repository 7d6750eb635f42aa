// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * A token that is to be made.
 */
export interface TokenOrderBody {
  /**
   * Who has it.
   */
  name: string;
  /**
   * What it may do.
   */
  role: 'viewer' | 'worker' | 'orchestrator' | 'supervisor' | 'steward' | 'admin';
  /**
   * The agent it acts for.
   */
  agent?: string;
  /**
   * It counts until then; for ever when absent.
   */
  expires_at?: string;
}
