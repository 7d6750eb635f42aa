/** Of runs that nobody named a project for and that work on no repository. */
const PROJECT_DEFAULT = 'default';
const NAME_LENGTH_MAX = 100;

/** Every run has one, so that money and lists can be told apart: the name of the repository when nothing was said. */
export function projectOf(named: string | undefined, folder: string | undefined): string {
  if (named !== undefined) return named;
  return folder?.split(/[/\\]/).findLast((part) => part !== '') ?? PROJECT_DEFAULT;
}

export function isProjectName(name: string): boolean {
  return name.length <= NAME_LENGTH_MAX && /^\S(.*\S)?$/.test(name);
}
