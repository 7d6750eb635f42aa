import type { SessionOrder } from '../core/session/session-messages.js';

export const EXEC_TOOL = 'exec_command';
export const PATCH_TOOL = 'apply_patch';
export const PLAN_TOOL = 'update_plan';
export const IMAGE_TOOL = 'view_image';

/** A tool as the Responses API takes it. */
export type ToolDefinition = {
  type: 'function';
  name: string;
  description: string;
  parameters: object;
  strict: false;
};

export const SECONDS_DEFAULT = 120;
export const SECONDS_MAX = 3_600;

const text = (description: string) => ({ type: 'string', description });

const EXEC: ToolDefinition = defined(
  EXEC_TOOL,
  'Runs a command and gives its exit code and output. It runs inside the sandbox of the session and reads nothing from standard input.',
  {
    command: {
      anyOf: [{ type: 'array', items: { type: 'string' }, minItems: 1 }, { type: 'string' }],
      description: 'Program and arguments as an array, or one line for the shell.',
    },
    workdir: text('Folder to run in. Relative paths begin at the folder of the session, which is also the default.'),
    timeout_ms: {
      type: 'integer',
      minimum: 1,
      maximum: SECONDS_MAX * 1_000,
      description: `Milliseconds after which it is ended with everything it started; ${SECONDS_DEFAULT * 1_000} by default.`,
    },
    with_escalated_permissions: {
      type: 'boolean',
      description: 'Asks to run it outside of the sandbox. A person decides, unless the policy does.',
    },
    justification: text('One sentence for that person: why it has to run outside.'),
  },
  ['command'],
);

const PATCH: ToolDefinition = defined(
  PATCH_TOOL,
  'Adds, changes, moves and deletes files: all of the patch or nothing of it. The text begins with "*** Begin Patch" and ends with "*** End Patch".',
  { input: text('The whole patch.') },
  ['input'],
);

const PLAN: ToolDefinition = defined(
  PLAN_TOOL,
  'Shows your plan to the user. Send all steps each time; at most one is in_progress.',
  {
    explanation: text('Why the plan changed.'),
    plan: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          step: text('The step in words.'),
          status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
        },
        required: ['step', 'status'],
        additionalProperties: false,
      },
    },
  },
  ['plan'],
);

const IMAGE: ToolDefinition = defined(
  IMAGE_TOOL,
  'Shows you an image: PNG, JPEG, GIF or WebP, up to 5 MiB, in the folder of the session.',
  { path: text('Path of the file.') },
  ['path'],
);

const OWN: readonly ToolDefinition[] = [EXEC, PATCH, PLAN, IMAGE];

/** All that need no server. */
export const OWN_TOOLS: readonly string[] = OWN.map(({ name }) => name);

/** What a model is offered: our own tools and those of servers, as far as the session may use them. */
export function toolsFor(
  { tools }: Pick<SessionOrder, 'tools'>,
  ofServers: readonly ToolDefinition[] = [],
): readonly ToolDefinition[] {
  return [...OWN, ...ofServers].filter(({ name }) => tools === null || tools.includes(name));
}

export function defined(
  name: string,
  description: string,
  properties: object,
  required: readonly string[],
): ToolDefinition {
  const parameters = { type: 'object', properties, required, additionalProperties: false };
  return { type: 'function', name, description, parameters, strict: false };
}
