import type { Check } from './finding.js';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_PROGRAM = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

export const checkBrowser: Check = async ({ probe }) => {
  for (const program of PROGRAMS) {
    const found = await probe.find(program);
    if (found) return [{ topic: 'browser', status: 'ok', text: found }];
  }
  if (probe.platform === 'darwin' && (await probe.stat(MAC_PROGRAM))) {
    return [{ topic: 'browser', status: 'ok', text: 'Google Chrome' }];
  }
  return [{ topic: 'browser', status: 'absent', text: "absent (only for the console's own tests)" }];
};
