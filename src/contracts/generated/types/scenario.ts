// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * A demonstration: agents that send each other messages, step by step.
 */
export interface Scenario {
  /**
   * Version of this file format. An unknown major version is refused.
   */
  schema_version?: string;
  /**
   * Name the scenario is started by.
   */
  name: string;
  /**
   * Title shown to people.
   */
  title: string;
  /**
   * What the scenario shows.
   */
  description?: string;
  /**
   * Who takes part.
   *
   * @minItems 1
   */
  agents: [ScenarioAgent, ...ScenarioAgent[]];
  /**
   * What happens, in order.
   *
   * @minItems 1
   */
  steps: [ScenarioStep, ...ScenarioStep[]];
  visualization?: ScenarioVisualization;
  /**
   * Data that stands in for the outside world, by name.
   */
  mock_data?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * One participant.
 *
 * This interface was referenced by `Scenario`'s JSON-Schema
 * via the `definition` "ScenarioAgent".
 */
export interface ScenarioAgent {
  /**
   * Name used in from and to.
   */
  id: string;
  /**
   * Name shown to people.
   */
  title?: string;
  /**
   * What it does in the scenario.
   */
  role?: string;
  /**
   * Registered agent that plays it. Absent means its messages are taken from the steps.
   */
  agent?: string;
  /**
   * Six parts with dots between them: primary type, domain, capability, role, lifecycle, security.
   */
  classification?: string;
  /**
   * What it can do.
   */
  capabilities?: string[];
  [k: string]: unknown;
}
/**
 * One message from one participant to another.
 *
 * This interface was referenced by `Scenario`'s JSON-Schema
 * via the `definition` "ScenarioStep".
 */
export interface ScenarioStep {
  /**
   * Name of the step.
   */
  id?: string;
  /**
   * Who sends.
   */
  from: string;
  /**
   * Who receives.
   */
  to: string;
  /**
   * What is sent: words, or a message object.
   */
  message:
    | string
    | {
        [k: string]: unknown;
      };
  /**
   * The step in words.
   */
  description?: string;
  /**
   * Pause before the step, in milliseconds.
   */
  delay_ms?: number;
  visualizationContext?: VisualizationContext;
  [k: string]: unknown;
}
/**
 * Which diagram a message belongs to and what to highlight in it.
 *
 * This interface was referenced by `Scenario`'s JSON-Schema
 * via the `definition` "VisualizationContext".
 */
export interface VisualizationContext {
  /**
   * The diagram.
   */
  diagramId: string;
  /**
   * The step of the animation this message stands for.
   */
  animationStepId?: string;
  /**
   * Elements of the diagram to highlight.
   */
  highlightElements?: string[];
  [k: string]: unknown;
}
/**
 * How the scenario is drawn.
 *
 * This interface was referenced by `Scenario`'s JSON-Schema
 * via the `definition` "ScenarioVisualization".
 */
export interface ScenarioVisualization {
  /**
   * Name of the diagram.
   */
  diagramId: string;
  /**
   * The diagram as Mermaid text.
   */
  diagram?: string;
  /**
   * The diagram in words, for those who do not see it.
   */
  alternative?: string;
  /**
   * The organisation or theme the diagram is shown for.
   */
  agencyContext?:
    | string
    | {
        [k: string]: unknown;
      };
  /**
   * Theme laid over the base styles.
   */
  theme?: string;
  [k: string]: unknown;
}
