import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../cli/run-bin.js';

/** What is used of playwright-core, whose own types are only there once it is installed. */
export type Locator = {
  click(): Promise<void>;
  dragTo(target: Locator): Promise<void>;
  hover(): Promise<void>;
  fill(text: string): Promise<void>;
  focus(): Promise<void>;
  waitFor(how?: { state?: 'visible' | 'hidden' | 'attached'; timeout?: number }): Promise<void>;
  textContent(): Promise<string | null>;
  count(): Promise<number>;
  isDisabled(): Promise<boolean>;
  inputValue(): Promise<string>;
  press(key: string): Promise<void>;
  check(): Promise<void>;
  nth(index: number): Locator;
  locator(selector: string): Locator;
  getByRole(role: string, of?: { name?: string | RegExp; exact?: boolean }): Locator;
  getByText(text: string | RegExp): Locator;
  getByLabel(text: string | RegExp): Locator;
  first(): Locator;
  selectOption(value: string): Promise<unknown>;
  allTextContents(): Promise<string[]>;
};
export type Page = {
  goto(url: string): Promise<unknown>;
  url(): string;
  reload(): Promise<unknown>;
  evaluate<Value>(script: string): Promise<Value>;
  addInitScript(script: { content: string }): Promise<void>;
  addScriptTag(script: { content: string }): Promise<unknown>;
  getByRole(role: string, of?: { name?: string | RegExp; exact?: boolean }): Locator;
  getByText(text: string | RegExp, how?: { exact?: boolean }): Locator;
  getByLabel(text: string | RegExp): Locator;
  locator(selector: string): Locator;
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  screenshot(how: { path: string; fullPage?: boolean }): Promise<unknown>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  on(event: 'console' | 'pageerror', call: (message: { text(): string; message?: string }) => void): void;
  waitForURL(url: RegExp): Promise<void>;
};
export type Context = {
  newPage(): Promise<Page>;
  close(): Promise<void>;
  cookies(): Promise<Record<string, unknown>[]>;
};
export type Browser = {
  newContext(how?: object): Promise<Context>;
  isConnected(): boolean;
  close(): Promise<void>;
};

const installed = createRequire(path.join(ROOT, 'test/tools/browser/package.json'));

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The system's browser, else the one that lies in the npm package. Without any it fails, and says so. */
export async function openBrowser(): Promise<Browser> {
  const { chromium } = installed('playwright-core') as {
    chromium: { launch(how: object): Promise<Browser> };
  };
  const system = SYSTEM.find((file) => existsSync(file));
  if (system) return chromium.launch({ executablePath: system, args: ['--no-sandbox'] });
  // Its own arguments switch the security of pages off, which is what is tested here.
  const { default: packed } = (await import(installed.resolve('@sparticuz/chromium'))) as {
    default: { executablePath(): Promise<string> };
  };
  return chromium.launch({ executablePath: await packed.executablePath(), args: ['--no-sandbox'] });
}

/** The text of the program that judges pages. */
export function axeFile(): string {
  return installed.resolve('axe-core/axe.min.js');
}
