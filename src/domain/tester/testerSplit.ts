import type { NodeView } from '../model/node';
import type { Plan, Audience } from '../model/plan';
import { hasAudience, type PullPlan } from '../model/publisherGroup';
import type { PullProtocol } from '../model/protocols';
import { planNodeName, settingsOf } from '../plan/planNodes';
import type { RunView, TesterLimit } from '../model/run';
import { sameSettings } from '../node/sameSettings';
import { viewersPerTester, distributeViewers, distributionText } from '../model/distribution';
import { isBoundByTester } from '../evidence/cause';
import { enforcedLimit, testerCapacity } from './viewerLimit';
import { costOf, type MeasuredLoad, type TesterCost } from './testerCost';

/**
 * The fix for a tester-limited run: the same plan with one more tester. Which testers were too weak, the share of each,
 * its cost, and the candidates.
 */
export interface TesterSplit {
  /** `limited`: a tester ran out of a resource during the run; `too-many`: it can't run its share from the start. */
  readonly why: 'limited' | 'too-many';
  /** The testers that were too weak, in order of time. */
  readonly weak: readonly NodeView[];
  /** Maximum viewers of the first of them, reached or possible. */
  readonly weakViewers: number;
  /** Protocol of the viewers. */
  readonly protocol: PullProtocol;
  /** Testers of the plan including the additional one. */
  readonly parts: number;
  /** The share of each, e.g. `500` or `333-334`. */
  readonly each: string;
  /** The share of each without it. */
  readonly eachBefore: string;
  /** Estimated cost on the first weak tester; absent if its samples are insufficient. */
  readonly cost?: TesterCost;
  /** Candidates for the additional tester, best first. */
  readonly candidates: readonly NodeView[];
}

/** A run with the limits of its testers. */
export type LimitedRun = Pick<RunView, 'plan' | 'nodes' | 'testerLimits' | 'phases' | 'verdict'>;

/**
 * Suggests to split a run over one more tester. `fleet` are all nodes; `measured` returns the samples of a tester.
 * Undefined if no tester was too weak, or no audience is left to split.
 */
export function splitOf(
  run: LimitedRun,
  fleet: readonly NodeView[],
  measured: (tester: NodeView) => readonly MeasuredLoad[],
): TesterSplit | undefined {
  // A tester that can't run its share is refused before the first arrival, whatever else happened.
  if (run.phases.every(({ name }) => name === 'prepare')) return splitProblem(run.plan, run.nodes, fleet);
  const limits = run.testerLimits ?? [];
  const [first] = limits;
  // If something else decided the run, another tester would change nothing.
  if (!first || (run.verdict && !isBoundByTester(run))) return undefined;
  const weak = limitedTesters(limits, run.nodes);
  const [tester] = weak;
  const { plan } = run;
  if (!hasAudience(plan)) return undefined;
  const split = newSplit(plan, fleet, weak, run.nodes);
  if (!split || !tester) return undefined;
  const { pull } = plan;
  const place = pull.by.findIndex((name) => isCalled(tester, name, run.plan));
  const share = withOneMore(pull)[Math.max(0, place)] ?? 0;
  // CPU does not predict files, ports, memory and network.
  const costs = isOfCpu(first) ? measured(tester) : [];
  const [cost] = costs
    .flatMap((samples) => costOf(tester, samples, first.fromMs, share) ?? [])
    .sort((a, b) => b.percent - a.percent);
  return { ...split, why: 'limited', weakViewers: first.viewers, ...(cost ? { cost } : {}) };
}

/** Limits that less work fixes: a tester that reads too late lacks CPU as much as one at full CPU. */
function isOfCpu({ kind }: TesterLimit): boolean {
  return kind === 'cpu' || kind === 'arrivals' || kind === 'socket-buffers';
}

/** A split of a plan before its start, if testers can't run their share. */
export function splitProblem(
  plan: Plan,
  nodes: readonly NodeView[],
  fleet: readonly NodeView[] = nodes,
): TesterSplit | undefined {
  if (!hasAudience(plan)) return undefined;
  const weak = overfull(plan, nodes);
  const split = weak.length > 0 ? newSplit(plan, fleet, weak, nodes) : undefined;
  return split && { ...split, why: 'too-many', weakViewers: weak[0]?.viewerLimit ?? 0 };
}

/** The limited testers, each once, in order of time. */
export function limitedTesters(limits: readonly TesterLimit[], nodes: readonly NodeView[]): NodeView[] {
  const ids = [...new Set([...limits].sort((a, b) => a.fromMs - b.fromMs).map(({ node }) => node))];
  return ids.flatMap((id) => nodes.find((node) => node.id === id) ?? []);
}

/** The plan with one more tester of its audience, under its name in the plan or a valid one. */
export function withTester(plan: Plan, tester: NodeView): Plan {
  if (!hasAudience(plan)) return plan;
  const settings = settingsOf(tester);
  const known = Object.keys(plan.nodes).find(
    (name) => !plan.pull.by.includes(name) && sameSettings(plan.nodes[name] ?? settings, settings),
  );
  const name = known ?? freeName(planNodeName(tester), plan);
  return {
    ...plan,
    nodes: { ...plan.nodes, [name]: settings },
    pull: { ...plan.pull, by: [...plan.pull.by, name] },
  };
}

function newSplit(
  plan: PullPlan,
  fleet: readonly NodeView[],
  weak: readonly NodeView[],
  nodes: readonly NodeView[],
): Pick<TesterSplit, 'weak' | 'protocol' | 'parts' | 'each' | 'eachBefore' | 'candidates'> | undefined {
  const { viewers, by, weights } = plan.pull;
  const parts = by.length + 1;
  // With several audiences, another tester for one of them would not relieve the others.
  if (viewers < parts || plan.also?.length) return undefined;
  return {
    weak,
    protocol: plan.pull.protocol,
    parts,
    each: distributionText(withOneMore(plan.pull)),
    eachBefore: distributionText(distributeViewers(viewers, by, weights)),
    candidates: candidatesOf(plan, fleet, nodes, weak),
  };
}

/** The share of each with an additional tester of weight 1, which comes last. */
function withOneMore({ viewers, by, weights }: Audience): readonly number[] {
  const further = `${by.join(' ')} and another`;
  return distributeViewers(viewers, [...by, further], weights);
}

/** Testers of the plan whose share exceeds their limit. */
function overfull(plan: PullPlan, nodes: readonly NodeView[]): NodeView[] {
  const shares = viewersPerTester(plan);
  return plan.pull.by.flatMap((name) => {
    const node = nodes.find((node) => node.role === 'tester' && isCalled(node, name, plan));
    const limit = node && enforcedLimit(node);
    return node && limit !== undefined && (shares.get(name) ?? 0) > limit ? [node] : [];
  });
}

function isCalled(node: NodeView, name: string, plan: Plan): boolean {
  if (node.id === name || planNodeName(node) === name) return true;
  const settings = plan.nodes[name];
  return settings !== undefined && sameSettings(settings, settingsOf(node));
}

/** Candidates for the additional tester: on another host first, since a tester shares its host's CPU. */
function candidatesOf(
  plan: PullPlan,
  fleet: readonly NodeView[],
  nodes: readonly NodeView[],
  weak: readonly NodeView[],
): readonly NodeView[] {
  const { by, from, protocol } = plan.pull;
  const share = withOneMore(plan.pull).at(-1) ?? 0;
  const busy = nodes.filter((node) => [...by, from].some((name) => isCalled(node, name, plan)));
  const sharesHostWith = (node: NodeView, others: readonly NodeView[]): number =>
    others.some(({ host }) => host === node.host) ? 1 : 0;
  const doubts = (node: NodeView): number =>
    4 * sharesHostWith(node, weak) +
    2 * sharesHostWith(node, busy) +
    (node.state === 'stale' || node.state === 'starting' ? 1 : 0);
  const room = (node: NodeView): number => testerCapacity(node, protocol)?.viewers ?? 0;
  return fleet
    .filter(
      (node) =>
        node.role === 'tester' &&
        node.state !== 'failed' &&
        !by.some((name) => isCalled(node, name, plan)) &&
        (node.can?.pull.includes(protocol) ?? true) &&
        (enforcedLimit(node) ?? share) >= share,
    )
    .sort((a, b) => doubts(a) - doubts(b) || room(b) - room(a));
}

function freeName(requestedName: string, plan: Plan): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? requestedName : `${requestedName.slice(0, 60)}-${number}`;
    if (!Object.hasOwn(plan.nodes, name)) return name;
  }
}
