import { existsSync } from 'node:fs';
import path from 'node:path';

const TOOLS = path.resolve(import.meta.dirname, '../tools/agents/node_modules');
const ARCH = process.arch === 'arm64' ? 'arm64' : 'x64';
const RUST_ARCH = process.arch === 'arm64' ? 'aarch64' : 'x86_64';

/** The programs themselves, not what starts them: killing that would leave them running. */
export const CODEX = installed(`@openai/codex-linux-${ARCH}/vendor/${RUST_ARCH}-unknown-linux-musl/bin/codex`);
export const CLAUDE = installed(`@anthropic-ai/claude-code-linux-${ARCH}/claude`);
export const OPENCODE = installed(`opencode-linux-${ARCH}/bin/opencode`);

function installed(file: string): string {
  const program = path.join(TOOLS, file);
  if (!existsSync(program)) throw new Error(`${program} is not there: node tools/test-agents.mjs`);
  return program;
}
