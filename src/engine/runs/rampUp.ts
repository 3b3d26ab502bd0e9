import type { ClockView } from '../../domain/model/node';
import type { Plan, PlanPull } from '../../domain/model/plan';
import { jobTurn } from '../load/agent/jobTurn';
import { audienceHeaders } from './audienceHeaders';
import { withAudienceTokens } from './audienceTokens';
import { ControlledAudience } from './control/controlledAudience';
import { loadControllerOf } from './control/loadControllerOf';
import { prepare } from './prepare';
import { Pull, type PullTarget } from './pull';
import { refusals, pullTargetOf } from './pullTarget';
import { refusedJobs, refusedShare } from './refusal';
import type { RunData } from './runData';

/** The ramp-up of audiences: prepares all they need, then starts their pulls at once or as a director decides. */
export class RampUp {
  /** Publications of the run itself, which end with it. */
  readonly publications: string[] = [];
  /** The run's first audience, if it has a director. */
  private firstDirected: ControlledAudience | undefined;
  /** Audiences with a director, and their places in the run's plan. */
  private readonly directed = new Map<ControlledAudience, number>();

  constructor(private readonly data: RunData) {}

  /**
   * Returns whether the plan's audience can be started. Never rejects. A failed preparation fails the run only for its
   * `first` audience.
   */
  async prepare(plan: Plan, first: boolean): Promise<boolean> {
    const { deps, nodes, log, whenClosing } = this.data;
    try {
      const addPublication = (job: string): unknown => this.publications.push(job);
      const { remarks } = await prepare(plan, nodes.all, deps.publications, whenClosing, addPublication);
      for (const sentence of remarks) log.say(sentence);
      return !whenClosing.aborted;
    } catch (error) {
      return this.fail(error, first);
    }
  }

  /** Starts the plan's audience, unless the run is closing. Never rejects. */
  async start(plan: Plan, first: boolean, place: number): Promise<void> {
    const { data } = this;
    if (data.isClosing) return;
    try {
      const found = pullTargetOf(plan.pull, data.nodes.all);
      if (!found) return;
      const { secrets } = data.deps;
      const target = {
        ...(await withAudienceTokens(found, plan.pull, { secrets, nowMs: Date.now })),
        headers: audienceHeaders(plan.pull, secrets),
        senderClock: () => senderClock(data, plan.pull),
        turn: jobTurn(plan.pull, found.url, secrets, data.nodes.get(plan.pull.from)?.settings.selfSigned),
      };
      if (data.isClosing) return;
      const director = loadControllerOf(plan, data);
      if (!director)
        return await this.begin(new Pull(plan.pull, target.testers, data.deps.nextJob), target, first, place);
      const audience = new ControlledAudience(plan.pull, target, director, data.deps);
      if (first) this.firstDirected = audience;
      data.pulls.addDirected(audience);
      this.directed.set(audience, place);
      this.step(audience, place);
    } catch (error) {
      this.fail(error, first);
    }
  }

  /** Lets the directors of audiences decide. */
  advance(): void {
    for (const [audience, place] of this.directed) this.step(audience, place);
  }

  private step(audience: ControlledAudience, place: number): void {
    const { sentence, parts } = audience.step();
    if (sentence !== undefined) this.data.log.say(sentence);
    for (const part of parts) {
      const isFirst = audience === this.firstDirected && this.data.pulls.list.length === 0;
      void this.begin(part, audience.target, isFirst, place);
    }
  }

  private async begin(pull: Pull, target: PullTarget, first: boolean, place: number): Promise<void> {
    const { data } = this;
    const { deps, limits, log } = data;
    data.pulls.add(pull, place);
    for (const sentence of await pull.start(deps.now(), target)) log.say(sentence);
    for (const sentence of refusals(pull)) log.say(sentence);
    for (const limit of refusedJobs(pull, deps.now())) limits.refuse(limit);
    if (first && pull.jobs.every((job) => job.state === 'failed')) data.failure = pull.jobs[0]?.problem;
    // Stopped or disconnected while the orders were on their way: what was accepted meanwhile is ended at once.
    if (data.isClosing || pull.leaveMs !== undefined) await pull.leave(deps.now(), false);
  }

  private fail(error: unknown, first: boolean): false {
    const { deps, log, limits } = this.data;
    const sentence = (error as Error).message;
    log.say(`The pull could not be started: ${sentence}`);
    for (const limit of refusedShare(error, deps.now())) limits.refuse(limit);
    if (first) this.data.failure = sentence;
    return false;
  }
}

function senderClock({ nodes, deps }: RunData, { from, stream }: PlanPull): ClockView | undefined {
  const origin = nodes.get(from);
  return origin && deps.publications.senderClock(origin, stream);
}
