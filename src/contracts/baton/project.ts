import type { ProjectFile } from '../generated/types/project.js';
import { validate, validateStrict } from '../generated/validators/project.js';
import type { Contract } from '../shared/contract.js';

export const project: Contract<ProjectFile> = {
  name: 'project',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [],
};
