import { existsSync } from 'node:fs';
import path from 'node:path';

const ARCH = process.arch === 'arm64' ? 'arm64' : 'x64';
const RUST_ARCH = process.arch === 'arm64' ? 'aarch64' : 'x86_64';

/** The programs themselves, not what starts them: killing that would leave them running. */
const PROGRAMS = {
  codex: `@openai/codex-linux-${ARCH}/vendor/${RUST_ARCH}-unknown-linux-musl/bin/codex`,
  claude: `@anthropic-ai/claude-code-linux-${ARCH}/claude`,
  opencode: `opencode-linux-${ARCH}/bin/opencode`,
};

/** Of this checkout, wherever the code that asks was bundled to. */
export function realPrograms(root: string): Record<keyof typeof PROGRAMS, string> {
  const at = (file: string): string => {
    const program = path.join(root, 'test/tools/agents/node_modules', file);
    if (!existsSync(program)) throw new Error(`${program} is not there: node tools/test-agents.mjs`);
    return program;
  };
  return { codex: at(PROGRAMS.codex), claude: at(PROGRAMS.claude), opencode: at(PROGRAMS.opencode) };
}
