import type { CommandSpec } from '../command.js';

export const templateSpecs: readonly CommandSpec[] = [
  {
    name: 'template create',
    summary: 'Make a template from a project, in nine phases; agents are asked through the bridge',
    options: {
      path: { type: 'string', value: 'DIR', help: 'The project' },
      name: { type: 'string', value: 'NAME', help: 'What the template is called' },
      output: { type: 'string', value: 'DIR', help: 'Where it is made; default templates/NAME in the home' },
      resume: { type: 'boolean', help: 'Go on from the checkpoint in the project' },
      'dry-run': { type: 'boolean', help: 'Say what would be made; ask nobody and write nothing' },
      replace: { type: 'boolean', help: 'Replace a template that was edited, or is of another project' },
      'no-agents': { type: 'boolean', help: 'Ask nobody: heuristics do what agents would' },
    },
    examples: [
      'baton template create --path . --name web-service --no-agents',
      'baton bridge run --dir . --agent claude -- baton template create --path . --name web-service',
      'baton template create --path . --resume',
    ],
  },
  {
    name: 'template apply',
    summary: 'Make a project from a template',
    positionals: 'NAME|DIR',
    arity: { min: 1, max: 1 },
    options: {
      to: { type: 'string', value: 'DIR', help: 'The new project: a folder that is empty or not there yet' },
      set: {
        type: 'string',
        multiple: true,
        value: 'KEY=VALUE',
        help: 'A value of the template; README.md lists them',
      },
    },
    examples: [
      'baton template apply web-service --to ../billing --set project_name=billing-service',
      'baton template apply ./templates/web-service --to ../billing --json',
    ],
  },
];
