import { Lines, Words } from '../parts/shown-text.js';

const STEPS_SHOWN_MAX = 50;

/** Steps of a plan, exactly as they would be run. */
export function StepList({ steps }: { steps: readonly unknown[] }) {
  const more = steps.length - STEPS_SHOWN_MAX;
  return (
    <>
      <ol className="steps" aria-label="Steps that would run">
        {steps.slice(0, STEPS_SHOWN_MAX).map((step, index) => {
          const { tool, params, expected_output: brings } = stepIn(step);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the plan
            <li key={index}>
              <span className="t3 num">{index + 1}</span>
              <Words text={tool} className="m b" />
              <Lines text={params} className="m t2" />
              {brings !== null && <Words text={brings} className="sm t3 brings" />}
            </li>
          );
        })}
      </ol>
      {more > 0 && <p className="sm t2">And {more} more, in the output of the plan.</p>}
    </>
  );
}

function stepIn(step: unknown): { tool: string; params: string; expected_output: string | null } {
  if (typeof step !== 'object' || step === null) return { tool: String(step), params: '', expected_output: null };
  const { tool, params, expected_output } = step as Record<string, unknown>;
  return {
    tool: typeof tool === 'string' ? tool : '(no tool)',
    params: params === undefined ? '' : JSON.stringify(params),
    expected_output: typeof expected_output === 'string' ? expected_output : null,
  };
}
