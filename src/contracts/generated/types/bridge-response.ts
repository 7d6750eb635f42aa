// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Response from AI agent invocation
 */
export interface BridgeResponse {
  /**
   * Must match the request_id from AgentRequest
   */
  request_id: string;
  /**
   * Schema version
   */
  version: string;
  /**
   * Result status of agent invocation
   */
  status: 'success' | 'error' | 'timeout' | 'cancelled';
  /**
   * Agent response content (typically JSON string)
   */
  response?: string;
  /**
   * Error description if status is not 'success'
   */
  error_message?: string;
  /**
   * Categorized error type
   */
  error_type?: 'AGENT_NOT_FOUND' | 'INVOCATION_FAILED' | 'TIMEOUT' | 'PARSE_ERROR' | 'VALIDATION_ERROR' | 'UNKNOWN';
  /**
   * ISO 8601 timestamp when response was created
   */
  created_at: string;
  /**
   * Time taken to generate response
   */
  duration_seconds?: number;
  /**
   * Additional metadata about the invocation
   */
  metadata?: {
    /**
     * AI model used (e.g., 'claude-sonnet-4-5-20250929')
     */
    model?: string;
    /**
     * Total tokens consumed
     */
    tokens_used?: number;
    /**
     * Overall confidence score from response
     */
    confidence?: number;
    [k: string]: unknown;
  };
}
