import type { BatonCommand } from '../opened-baton.js';
export const runChat: BatonCommand = async () => 0;
