import { expect, test } from 'vitest';
import { jobDecider } from '../../src/core/job/job-decider.js';
import { NO_USAGE } from '../../src/core/kernel/effect.js';
import { Engine } from '../../src/engine/engine.js';
import { JobService } from '../../src/engine/job/job-service.js';
import { Machines } from '../../src/engine/machines.js';
import { eventually, testPorts } from './test-ports.js';

/** Whoever draws first draws what the one before drew: six draws are two ids. */
function service() {
  const ports = testPorts();
  let draws = 0;
  ports.ids.random = () => Math.floor(draws++ / 6) / 10;
  const machines = new Machines().add(jobDecider);
  const options = { worker: 'w', host: 'h', claimsAny: false, ownedMax: 9, snapshotEvery: 100, laneLimit: () => 1 };
  const engine = new Engine(ports, machines, options);
  const places = { workspaceOf: (run: string) => `/jobs/${run}` };
  return {
    ports,
    jobs: new JobService({
      ports,
      engine,
      machines,
      places,
      changed: () => undefined,
      isPerson: async () => false,
      spentOf: () => NO_USAGE,
    }),
  };
}

const JOB = { prompt: 'Do it.', agent: 'a' };
const BY = { actor: 'anna' };

test('jobs that are created at once and find the same id free get one each', async () => {
  const { ports, jobs } = service();
  const made = await eventually(ports, Promise.all([1, 2, 3].map(() => jobs.create(JOB, BY))));
  expect(new Set(made.map(({ job_id }) => job_id)).size).toBe(3);
});

test('an id that was asked for is refused when somebody else took it meanwhile', async () => {
  const { ports, jobs } = service();
  const both = Promise.allSettled([1, 2].map(() => jobs.create({ ...JOB, id: 'mine' }, BY)));
  expect((await eventually(ports, both)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});
