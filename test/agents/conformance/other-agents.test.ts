import { conforms } from './conforms.js';
import { OTHER_AGENTS } from './subjects.js';

conforms(OTHER_AGENTS);
