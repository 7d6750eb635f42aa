// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * A message about an animated diagram, or the context that ties another message to a diagram. With a type it is a message, without one a context.
 */
export interface Visualization {
  /**
   * Which message this is. A context has none.
   */
  type?: 'visualization_init' | 'visualization_step' | 'visualization_end';
  [k: string]: unknown;
}
/**
 * An animation begins.
 *
 * This interface was referenced by `Visualization`'s JSON-Schema
 * via the `definition` "VisualizationInit".
 */
export interface VisualizationInit {
  type: 'visualization_init';
  /**
   * The diagram that is animated.
   */
  diagramId: string;
  /**
   * How many steps there will be.
   */
  totalSteps: number;
  /**
   * The organisation or theme the diagram is shown for.
   */
  agencyContext?:
    | string
    | {
        [k: string]: unknown;
      };
  [k: string]: unknown;
}
/**
 * An animation moved on to a step.
 *
 * This interface was referenced by `Visualization`'s JSON-Schema
 * via the `definition` "VisualizationStep".
 */
export interface VisualizationStep {
  type: 'visualization_step';
  /**
   * The diagram that is animated.
   */
  diagramId?: string;
  /**
   * Which step, from zero.
   */
  stepIndex: number;
  /**
   * Name of the step.
   */
  stepId: string;
  /**
   * The step in words, for those who do not see the animation.
   */
  description: string;
  [k: string]: unknown;
}
/**
 * An animation ended.
 *
 * This interface was referenced by `Visualization`'s JSON-Schema
 * via the `definition` "VisualizationEnd".
 */
export interface VisualizationEnd {
  type: 'visualization_end';
  /**
   * The diagram that was animated.
   */
  diagramId: string;
  /**
   * Why it ended, such as completed or terminated.
   */
  reason: string;
  [k: string]: unknown;
}
/**
 * Which diagram a message belongs to and what to highlight in it.
 *
 * This interface was referenced by `Visualization`'s JSON-Schema
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
