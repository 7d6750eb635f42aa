/**
 * Looks at a home in a process of its own and says `afterwards JSON`. The driver closes files late; only the end of a
 * process lets go of a disk for sure.
 */
import { worksAgain } from '../stage/works-again.js';
import { readOrder, say } from './program.js';

const { home, acknowledged, when } = readOrder<{ home: string; acknowledged: string[]; when: string }>();
say('afterwards', JSON.stringify(await worksAgain(home, acknowledged, when)));
process.exit(0);
