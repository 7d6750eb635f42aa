import type { Pipeline } from '../generated/types/pipeline.js';
import CODE_ANALYSIS from './pipelines/code-analysis.json' with { type: 'json' };
import DEFAULT from './pipelines/default.json' with { type: 'json' };
import REVIEW from './pipelines/review.json' with { type: 'json' };

/** The pipelines Baton comes with, by name; `default` is the one of contract 002. */
export const BUILT_IN: ReadonlyMap<string, Pipeline> = new Map(
  ([DEFAULT, CODE_ANALYSIS, REVIEW] as Pipeline[]).map((pipeline) => [pipeline.name, pipeline]),
);
