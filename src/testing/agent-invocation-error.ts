/** Contract 001: raised when an agent cannot be invoked. */
export class AgentInvocationError extends Error {
  override readonly name = 'AgentInvocationError';
}
