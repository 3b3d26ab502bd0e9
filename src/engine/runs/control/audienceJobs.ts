import type { JobState, JobView } from '../../../domain/model/run';
import type { Pull, PullJob, Tester } from '../pull';

/** The input for the row of a tester. */
export interface AudienceParts {
  /** All parts of the audience so far. */
  readonly parts: readonly Pull[];
  /** The current target parts. */
  readonly staying: readonly Pull[];
  /** This tester gets no more viewers. */
  readonly isStopped: boolean;
}

/** A tester's part of an audience as one job: disconnected viewers no longer count, disconnecting ones still do. */
export function audienceJob(
  id: string,
  stream: string,
  tester: Tester,
  { parts, staying, isStopped }: AudienceParts,
): JobView {
  const all = jobsOf(parts, tester);
  const requestedJobs = jobsOf(staying, tester);
  const sum = (jobs: readonly PullJob[], value: (job: PullJob) => number): number =>
    jobs.reduce((total, job) => total + value(job), 0);
  const problem = [...all].reverse().find((job) => job.problem !== undefined && !isOver(job))?.problem;
  const failure = requestedJobs.find(({ state }) => state === 'failed')?.problem;
  return {
    id,
    kind: 'pull',
    node: tester.name,
    stream,
    state: isStopped ? (all.every(isOver) ? 'ended' : 'tearing-down') : stateOf(requestedJobs),
    requested: sum(requestedJobs, ({ viewers }) => viewers),
    connected: sum(all, ({ latest }) => latest?.connected ?? 0),
    present: sum(all, ({ latest }) => latest?.present ?? 0),
    problem: isStopped ? problem : (failure ?? problem),
  };
}

/** The jobs of a tester that are not over, with the part that each belongs to. */
export function remainingJobs(
  parts: readonly Pull[],
  tester: Tester,
): ReadonlyArray<{ readonly part: Pull; readonly job: PullJob }> {
  return parts.flatMap((part) =>
    part
      .remaining()
      .filter((job) => job.tester === tester)
      .map((job) => ({ part, job })),
  );
}

const jobsOf = (parts: readonly Pull[], tester: Tester): PullJob[] =>
  parts.flatMap(({ jobs }) => jobs.filter((job) => job.tester === tester));

const isOver = ({ state }: PullJob): boolean => state === 'ended' || state === 'failed';

/** The least settled state of parallel parts; an audience without viewers between two stages is held at 0. */
function stateOf(jobs: readonly PullJob[]): JobState {
  if (jobs.length > 0 && jobs.every(({ state }) => state === 'failed')) return 'failed';
  const isArriving = jobs.some(({ state }) => state === 'starting' || state === 'ramping-up');
  return isArriving ? 'ramping-up' : 'holding';
}
