import { BatonError } from '../../contracts/shared/errors.js';
import { findRun } from '../find-run.js';
import { runForUser } from '../job/github.js';
import { statusWords } from '../job/job-view.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { printable, printableJson } from '../printable.js';

/** Pushes the branch of a job and opens a pull request with `gh`, as the user would. */
export const runJobPr: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const { run } = await findRun(baton.store, parsed.positionals[0] ?? '', io.cwd);
    const job = await baton.jobs.state(run);
    const { order, workspace, status } = job;
    const draft = parsed.values.draft === true;
    if (!order.repository || !workspace?.branch) {
      throw new BatonError('INVALID_TRANSITION', `${run} has no branch to make a pull request of`, { status });
    }
    if (status !== 'SUCCESS' && !draft) {
      throw new BatonError('INVALID_TRANSITION', `${run} is ${status}: only a draft can be made of it (--draft)`, {
        status,
      });
    }
    const { folder } = order.repository;
    // Before anything leaves the machine: a branch without a pull request helps nobody.
    await runForUser(io, 'gh', ['--version'], folder);
    await runForUser(io, 'git', ['push', '--quiet', 'origin', `${workspace.branch}:${workspace.branch}`], folder);
    const prompt = await baton.body(run, order.prompt.sha256);
    const body = `${prompt}\n\n---\n${statusWords(job)} · ${job.proof ?? 0} checks passed · Baton-Job: ${run}\n`;
    const words = ['--head', workspace.branch, '--title', order.title, '--body', body, ...(draft ? ['--draft'] : [])];
    const said = await runForUser(io, 'gh', ['pr', 'create', ...words], folder);
    const url = said.split('\n').findLast((line) => /^https?:\/\//.test(line)) ?? said;
    await baton.jobs.send(run, { type: 'NotePullRequest', url }, { actor: io.env.USER ?? 'cli' });
    if (parsed.values.json) io.out(`${printableJson(await baton.jobs.show(run))}\n`);
    else io.out(`${printable(url)}\n`);
    return 0;
  });
