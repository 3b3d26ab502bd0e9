import type { ClockView } from '../../domain/model/node';
import type { Plan, Audience } from '../../domain/model/plan';
import { audiencesOf } from '../../domain/model/distribution';
import { publisherGroups, publishesOnly, type PullPlan } from '../../domain/model/publisherGroup';
import { allAudiences } from '../../domain/plan/audiences';
import { listedTurnDoubt } from '../../domain/plan/nodeRules';
import { jobTurn } from '../load/agent/jobTurn';
import { audienceHeaders } from './audienceHeaders';
import { withAudienceTokens } from './audienceTokens';
import { ControlledAudience } from './control/controlledAudience';
import { ControlledPublishers } from './control/controlledPublishers';
import { loadControllerOf, publisherSearch } from './control/loadControllerOf';
import { ofAudience, prepare } from './prepare';
import { Pull, type PullTarget } from './pull';
import { refusals, pullTargetOf } from './pullTarget';
import { GroupJob } from './runPublishers';
import { refusedJobs, refusedShare } from './refusal';
import type { RunData } from './runData';

/** An audience that can be started. */
export interface ReadyAudience {
  /** The plan with this audience only. */
  readonly plan: PullPlan;
  /** Its place in the run's plan. */
  readonly place: number;
  readonly target: PullTarget;
}

/** The ramp-up of audiences: prepares all they need, then starts their pulls at once or as a controller decides. */
export class RampUp {
  /** Publications of the run itself by node and stream: they end with it. */
  readonly publications = new Map<string, string>();
  /** Audiences with a controller, and their places in the run's plan. */
  private readonly controlled = new Map<ControlledAudience, number>();

  private publishers: ControlledPublishers | undefined;

  constructor(private readonly data: RunData) {}

  /**
   * The plan's audiences, once all of them can be started; none if one of them can't be, or if the run is closing. Never
   * rejects. `place` is that of its first audience in the run's plan.
   */
  async prepare(plan: Plan, place: number): Promise<readonly ReadyAudience[]> {
    const { deps, nodes, log, whenClosing } = this.data;
    try {
      const { remarks } = await prepare(plan, nodes.all, deps.publications, deps.clock, whenClosing, this.publications);
      const doubts = audiencesOf(plan).flatMap((pull) => listedTurnDoubt(pull, plan.nodes) ?? []);
      for (const sentence of [...remarks, ...doubts]) log.say(sentence);
      if (whenClosing.aborted) return [];
      const ready = await Promise.all(
        allAudiences(plan).map((audience, index) =>
          ofAudience(plan, audience, async () => ({
            plan: { ...plan, pull: audience.pull, also: [] },
            place: place + index,
            target: await this.targetOf(audience.pull),
          })),
        ),
      );
      return this.data.isClosing ? [] : ready;
    } catch (error) {
      const sentence = (error as Error).message;
      log.say(`The ${publishesOnly(plan) ? 'publishers' : 'pull'} could not be started: ${sentence}`);
      // What a stop has interrupted is no failure of the run.
      if (whenClosing.aborted) return [];
      for (const limit of refusedShare(error, deps.clock.now())) this.data.limits.refuse(limit);
      audiencesOf(plan).forEach((_, index) => this.data.failAudience(place + index, sentence));
      if (publishesOnly(plan)) this.data.failAudience(place, sentence);
      return [];
    }
  }

  /** Starts the publishers of a plan without an audience, unless the run is closing. Never rejects. */
  async startPublishers(plan: Plan): Promise<void> {
    const { data } = this;
    const { nodes, published } = data;
    const groups = publisherGroups(plan).flatMap((group) => {
      const [node, tester] = [nodes.get(group.publication.node), nodes.get(group.by)];
      return node && tester ? [new GroupJob(group, node, tester)] : [];
    });
    if (data.isClosing) return;
    const [first] = groups;
    const search = first?.group.search;
    if (first && search) {
      const { group, node, tester } = first;
      const controller = publisherSearch({ ...group, search }, data);
      this.publishers = new ControlledPublishers(group, node, tester, controller);
      published.controlled = this.publishers;
      this.stepPublishers();
      return;
    }
    await Promise.all(groups.map((group) => this.beginGroup(group)));
    if (first && groups.every(({ couldNotStart }) => couldNotStart)) data.failAudience(0, first.problem ?? '');
  }

  /** Never rejects. */
  private async beginGroup(group: GroupJob): Promise<void> {
    const { log, published } = this.data;
    for (const sentence of await published.start(group)) log.say(sentence);
    const { node, stream } = group.group.publication;
    if (group.id !== undefined) this.publications.set(`${node} ${stream} ${group.firstNumber ?? ''}`, group.id);
    if (group.problem !== undefined) log.say(`${stream} could not be published: ${group.problem}`);
  }

  private stepPublishers(): void {
    const { deps, log } = this.data;
    if (!this.publishers) return;
    const { sentence, starting, ending } = this.publishers.step(deps.clock.now());
    if (sentence !== undefined) log.say(sentence);
    if (ending.length > 0) void this.endGroups(ending);
    for (const part of starting) void this.beginGroup(part);
  }

  private async endGroups(groups: readonly GroupJob[]): Promise<void> {
    for (const sentence of await this.data.published.leave(groups)) this.data.log.say(sentence);
  }

  /** Starts an audience, unless the run is closing. Never rejects. */
  async start({ plan, place, target }: ReadyAudience): Promise<void> {
    const { data } = this;
    if (data.isClosing) return;
    const controller = loadControllerOf(plan, data);
    if (!controller) return this.begin(new Pull(plan.pull, target.testers, data.deps.nextJob), target, place);
    const audience = new ControlledAudience(plan.pull, target, controller, data.deps);
    data.pulls.addDirected(audience, place);
    this.controlled.set(audience, place);
    this.step(audience, place);
  }

  private async targetOf(pull: Audience): Promise<PullTarget> {
    const { data } = this;
    const { secrets } = data.deps;
    const target = pullTargetOf(pull, data.nodes.all);
    return {
      ...(await withAudienceTokens(target, pull, { secrets, nowMs: data.deps.clock.wall })),
      headers: audienceHeaders(pull, secrets),
      senderClock: () => senderClock(data, pull),
      turn: jobTurn(pull, target.url, secrets, data.nodes.get(pull.from)?.settings.selfSigned),
    };
  }

  /** Lets the directors of audiences decide. */
  advance(): void {
    for (const [audience, place] of this.controlled) this.step(audience, place);
    this.stepPublishers();
  }

  private step(audience: ControlledAudience, place: number): void {
    const { sentence, parts } = audience.step();
    if (sentence !== undefined) this.data.log.say(sentence);
    for (const part of parts) void this.begin(part, audience.target, place);
  }

  private async begin(pull: Pull, target: PullTarget, place: number): Promise<void> {
    const { data } = this;
    const { deps, limits, log } = data;
    const isFirst = data.pulls.ofAudience(place).length === 0;
    data.pulls.add(pull, place);
    if (isFirst) for (const sentence of data.nodes.get(pull.plan.from)?.proxyRemarks?.() ?? []) log.say(sentence);
    for (const sentence of await pull.start(deps.clock.now(), target)) log.say(sentence);
    for (const sentence of refusals(pull)) log.say(sentence);
    for (const limit of refusedJobs(pull, deps.clock.now())) limits.refuse(limit);
    if (isFirst && pull.jobs.every((job) => job.state === 'failed'))
      data.failAudience(place, pull.jobs[0]?.problem ?? 'No tester took its viewers.');
    // Stopped or disconnected while the orders were on their way: what was accepted meanwhile is ended at once.
    if (data.isClosing || pull.leaveMs !== undefined) await pull.leave(deps.clock.now(), false);
  }
}

function senderClock({ nodes, deps }: RunData, { from, stream }: Audience): ClockView | undefined {
  const origin = nodes.get(from);
  return origin && deps.publications.senderClock(origin, stream);
}
