import { describe } from 'vitest';
import { behavesAsOrchestrator } from './behaves-as-orchestrator.js';
import { LIBRARY } from './orchestrated.js';

describe('an orchestrator with baton/bridge', () => behavesAsOrchestrator(LIBRARY));
