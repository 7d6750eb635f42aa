/** `baton/testing`: a model that says what a scenario says, for tests and demonstrations without a provider. */
export type { Fault, Figures, ModelScenario, Step, ToolCall, Turn } from './model-scenario.js';
export { readModelScenario } from './read-model-scenario.js';
export type { TokenCount } from './scripted-tokens.js';
export type { ServedRequest } from './served-request.js';
export { type ModelServer, type ModelServerOptions, startModelServer } from './start-model-server.js';
