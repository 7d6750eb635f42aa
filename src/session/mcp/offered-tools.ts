import type { ToolDefinition } from '../tool-definitions.js';
import type { ServerTool } from './mcp-connection.js';
import { toolNames } from './tool-names.js';

const DESCRIPTION_CHARS_MAX = 1_024;
const SCHEMA_CHARS_MAX = 16 * 1024;

/** Tools of servers as a model is offered them. What servers say about them is bounded. */
export function offeredTools(tools: readonly ServerTool[]): readonly ToolDefinition[] {
  return [...toolNames(tools)].map(([name, { description, parameters }]) => {
    const isSmall = JSON.stringify(parameters).length <= SCHEMA_CHARS_MAX;
    return {
      ...{ type: 'function', name, description: description.slice(0, DESCRIPTION_CHARS_MAX) },
      ...{ parameters: isSmall ? parameters : { type: 'object' }, strict: false },
    };
  });
}
