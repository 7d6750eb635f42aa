/** What a harness found. The closing line is made from it. */
export type Report = {
  what: string;
  acknowledged: number;
  lost: readonly string[];
  twice: readonly string[];
  /** Everything else that must not be. */
  problems: readonly string[];
  /** Said besides, one line each. */
  notes: readonly string[];
};

const SHOWN_MAX = 12;

export function isClean({ lost, twice, problems }: Report): boolean {
  return lost.length + twice.length + problems.length === 0;
}

export function firstProblem({ lost, twice, problems }: Report): string | undefined {
  return lost[0] ?? twice[0] ?? problems[0];
}

export function describeReport(report: Report): string[] {
  const wrong = [...report.lost, ...report.twice, ...report.problems];
  const more = wrong.length > SHOWN_MAX ? [`  ! and ${wrong.length - SHOWN_MAX} more`] : [];
  return [
    ...report.notes.map((note) => `  ${note}`),
    ...wrong.slice(0, SHOWN_MAX).map((problem) => `  ! ${problem}`),
    ...more,
  ];
}

export function closingLine(
  { what, acknowledged, lost, twice, problems }: Report,
  planted: readonly Planted[],
): string {
  const caught = planted.map(({ name, caught }) => `${name} ${caught === undefined ? 'NOT CAUGHT' : 'caught'}`);
  const counts = `${acknowledged} acknowledged, lost = ${lost.length}, twice = ${twice.length}, other problems = ${problems.length}`;
  return `${what}: ${counts}${caught.length > 0 ? `; planted: ${caught.join(', ')}` : ''}`;
}

/** `caught` is the first thing the harness said about it. */
export type Planted = { name: string; caught: string | undefined };
