/** Phase 5: an agent that the project could use. */
export type AgentNeed = {
  name: string;
  description: string;
  reason: string;
  technologies: readonly string[];
  /** The layer or pattern it is for; null: the whole project. */
  about: string | null;
};

/** Phases 6 and 7: an agent as its Markdown file says it. */
export type AgentDefinition = {
  name: string;
  description: string;
  technologies: readonly string[];
  priority: number;
  /** Markdown below the front matter. */
  body: string;
  source: 'agent' | 'heuristics';
};
