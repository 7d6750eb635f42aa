import type { CommandSpec } from '../command.js';

export const completionSpec: CommandSpec = {
  name: 'completion',
  summary: 'Print a script that completes baton in a shell',
  positionals: 'bash|zsh|fish',
  arity: { min: 1, max: 1 },
  examples: [
    'eval "$(baton completion bash)"',
    'baton completion zsh > ~/.zfunc/_baton',
    'baton completion fish > ~/.config/fish/completions/baton.fish',
  ],
};
