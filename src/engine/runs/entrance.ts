import type { Plan } from '../../domain/plan/plan';
import type { Departures } from './departures';
import { DirectedAudience } from './direct/directedAudience';
import { directorOf, type Evidence } from './direct/directorOf';
import { prepare } from './prepare';
import { Pull } from './pull';
import { refusals, venueOf, type Venue } from './pullToBegin';
import type { Pulls } from './pulls';
import { refusedJobs, refusedShare } from './refusal';
import type { RunLog } from './runLog';
import type { Nodes, RunDeps } from './runParts';
import type { TesterLimits } from './watch/testers';

export interface EntranceParts {
  readonly deps: Pick<RunDeps, 'now' | 'nextJob' | 'publications'>;
  readonly pulls: Pulls;
  readonly departures: Departures;
  readonly limits: TesterLimits;
  readonly log: RunLog;
  readonly evidence: Evidence;
  /** Aborted when nobody more is to come. */
  readonly closing: AbortSignal;
  /** Everything is ready and no viewer was asked for: measures the hosts as they are without any. Never rejects. */
  readonly baseline: () => Promise<void>;
  /** A pull is about to be asked for. */
  readonly began: () => void;
}

/** How audiences get into a run: everything made ready for them, then pulls that begin at once or as a director wishes. */
export class Entrance {
  /** Why the run's first audience could not come at all. */
  failure: string | undefined;
  /** Publications of the run itself, which end with it. */
  readonly publications: string[] = [];
  private preparing = 0;
  /** Audiences that are added meanwhile wait for it too. */
  private measured: Promise<void> | undefined;

  constructor(private readonly parts: EntranceParts) {}

  get isBusy(): boolean {
    return this.preparing > 0;
  }

  /** Whether nobody has come so far, nor is on the way. */
  get isUntouched(): boolean {
    return this.parts.pulls.list.length === 0 && this.preparing === 0;
  }

  /** Never rejects. Failing to get ready fails the run only when it is its `first` audience. */
  async open(plan: Plan, nodes: Nodes, first: boolean): Promise<void> {
    const { deps, limits, log, closing } = this.parts;
    this.preparing += 1;
    try {
      const { remarks } = await prepare(plan, nodes, deps.publications, closing, (job) =>
        this.publications.push(job),
      );
      for (const sentence of remarks) log.say(sentence);
      if (!closing.aborted) await (this.measured ??= this.parts.baseline());
      if (!closing.aborted) await this.admit(plan, nodes, first);
    } catch (error) {
      const sentence = (error as Error).message;
      log.say(`The pull could not be started: ${sentence}`);
      for (const limit of refusedShare(error, deps.now())) limits.refuse(limit);
      if (first) this.failure = sentence;
    } finally {
      this.preparing -= 1;
    }
  }

  private async admit(plan: Plan, nodes: Nodes, first: boolean): Promise<void> {
    const { deps, departures, evidence, log, pulls } = this.parts;
    const venue = venueOf(plan.pull, nodes);
    if (!venue) return;
    const director = directorOf(plan, evidence);
    if (!director) return this.begin(new Pull(plan.pull, venue.testers, deps.nextJob), venue, first);
    const audience = new DirectedAudience(plan.pull, venue, director, {
      now: deps.now,
      nextJob: deps.nextJob,
      begin: (part, where) => void this.begin(part, where, first && pulls.list.length === 0),
      leave: (part, only, force = false) =>
        void (only ? departures.leaveJob(part, only, force) : departures.leave(part, force)),
      say: (sentence) => log.say(sentence),
    });
    pulls.addDirected(audience);
    audience.step();
  }

  private async begin(pull: Pull, venue: Venue, first: boolean): Promise<void> {
    const { deps, departures, limits, log, pulls, closing, began } = this.parts;
    pulls.add(pull);
    const started = pull.start(deps.now(), venue);
    began();
    for (const sentence of await started) log.say(sentence);
    for (const sentence of refusals(pull)) log.say(sentence);
    for (const limit of refusedJobs(pull, deps.now())) limits.refuse(limit);
    if (first && pull.jobs.every((job) => job.state === 'failed')) this.failure = pull.jobs[0]?.problem;
    // Stopped, or sent home again, while the orders were on their way: what was accepted meanwhile leaves at once.
    if (closing.aborted || pull.leaveMs !== undefined) await departures.leave(pull, false);
  }
}
