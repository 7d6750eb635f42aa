import { outputSchema } from '../../contracts/envelope/stage-output.js';
import type { StageFacts } from '../../core/envelope/envelope-effects.js';
import { stageIn } from '../../core/envelope/standing.js';
import type { EventStore } from '../ports.js';
import type { DocumentMover } from './document-mover.js';

/** What planners are told about tools. */
export type ToolsNamed = (
  names: readonly string[],
) => Promise<readonly { name: string; description: string; risk: string }[]>;
export type StageSources = { mover: DocumentMover; body: EventStore['body']; toolsNamed: ToolsNamed };

/** What the agent of a stage is sent: the stage, the envelope, and what its output must look like. */
export async function stageRequest(
  { mover, body, toolsNamed }: StageSources,
  { document, pipeline, stage, repair }: StageFacts,
): Promise<string> {
  const [envelope, stages] = await Promise.all([mover.envelope(document), mover.pipeline(pipeline)]);
  const { schemas } = await import('../../contracts/generated/validators/schemas.js');
  const about = stageIn(stages, stage);
  const output_schema = outputSchema(about, schemas);
  const tools = about.output_key === 'plan' ? stages.stages.flatMap((one) => one.tools ?? []) : [];
  const known = tools.length > 0 && { tools: await toolsNamed(tools) };
  const again = repair && {
    repair: { problem: repair.problem, answer: new TextDecoder().decode(await body(repair.answer.sha256)) },
  };
  return JSON.stringify({ stage, envelope, output_schema, ...known, ...again });
}
