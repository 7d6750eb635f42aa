import { conforms } from './conforms.js';
import { REAL_AGENTS } from './subjects.js';

conforms(REAL_AGENTS);
