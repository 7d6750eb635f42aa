import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { BIN, type Scene } from './session-scene.js';

const LOOKS = 300;
const LOOK_AGAIN_MS = 50;

export type Pane = {
  keys(...keys: readonly string[]): void;
  /** As a terminal pastes: in brackets where the program has asked for them. */
  paste(text: string): void;
  /** What is on the screen once it has this in it. */
  shows(text: string | RegExp): Promise<string>;
  resize(columns: number): void;
};

/** Each has a terminal of its own. */
let panes = 0;

/** A real terminal with the program in it. */
export function openPane({ folder, env }: Scene, args: readonly string[], more: Record<string, string> = {}): Pane {
  panes += 1;
  const socket = `baton-${process.pid}-${path.basename(path.dirname(folder))}-${panes}`;
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-L', socket, ...words], { cwd: folder, env: { ...env, ...more }, encoding: 'utf8' });
  const command = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ');
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', '80', '-y', '50', '-s', 'chat', `${command}; echo "left $?"; cat`);
  onTestFinished(() => void tmux('kill-server'));
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'chat').trimEnd();
  return {
    keys: (...keys) => void tmux('send-keys', '-t', 'chat', ...keys),
    paste(text) {
      tmux('set-buffer', '--', text);
      tmux('paste-buffer', '-p', '-t', 'chat');
    },
    resize: (columns) => void tmux('resize-window', '-t', 'chat', '-x', String(columns)),
    async shows(text) {
      const isThere = (shown: string): boolean => (typeof text === 'string' ? shown.includes(text) : text.test(shown));
      for (let looks = 0; looks < LOOKS; looks += 1) {
        const shown = screen();
        if (isThere(shown)) return shown;
        await sleep(LOOK_AGAIN_MS);
      }
      throw new Error(`the screen never showed ${text}:\n${screen()}`);
    },
  };
}

/** It can be typed. */
export const READY = /\n> *$/;
