// Run by ./baton before every call: cheap when nothing changed.
import { buildIfStale, installDependencies } from './setup.mjs';

installDependencies();
await buildIfStale();
