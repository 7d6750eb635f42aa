import path from 'node:path';
import { realPrograms } from './real-programs.js';

export const {
  codex: CODEX,
  claude: CLAUDE,
  opencode: OPENCODE,
} = realPrograms(path.resolve(import.meta.dirname, '../..'));
