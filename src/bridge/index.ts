/** `baton/bridge`: an orchestrator asks an agent through three files and exit code 42, and is resumed with the answer. */
export type { BridgeProfile } from '../contracts/bridge/bridge-profile.js';
export type { ConfidenceGate } from '../contracts/bridge/confidence-gate.js';
export type { CheckpointState } from '../contracts/generated/types/checkpoint-state.js';
export type { AgentInvoker, Answer, Ask, Bridge, BridgeOptions } from './bridge.js';
export { BridgeCancelled } from './bridge-cancelled.js';
export { type AskFailure, BridgeFailed, type ErrorType } from './bridge-failed.js';
export { openBridge } from './open-bridge.js';
