import type { NodeView } from '../node';
import type { Plan, PlanPull, PullProtocol } from '../plan/plan';
import { planNodeName, settingsOf } from '../plan/planNodes';
import type { RunView, TesterLimit } from '../run';
import { sameSettings } from '../sameSettings';
import { burdens, sharesOf, sharesText } from '../shares';
import { isBoundByTester } from '../verdict/cause';
import { testerStrength } from './strength';
import { costOf, type Measured, type TesterCost } from './testerCost';

/**
 * What to do when testers, not the server, were too weak: the same plan over one tester more. Who was too weak, what each would
 * get, what that would cost, and who can help.
 */
export interface TesterSplit {
  /** `limited`: a tester ran out of something on the way; `too-many`: it can't hold its share from the start. */
  readonly why: 'limited' | 'too-many';
  /** The testers that were too weak, in the order in which it showed. */
  readonly weak: readonly NodeView[];
  /** Viewers that the first of them had, or can have, at most. */
  readonly weakViewers: number;
  /** By what the viewers pull. */
  readonly protocol: PullProtocol;
  /** Testers of the plan with the further one. */
  readonly parts: number;
  /** What each gets, e.g. `500` or `333-334`. */
  readonly each: string;
  /** What each got without it. */
  readonly eachBefore: string;
  /** What the first weak tester would be burdened with; absent where its samples don't tell. */
  readonly cost?: TesterCost;
  /** Nodes of the fleet that can be the further tester, the best first. */
  readonly candidates: readonly NodeView[];
}

/** A run with what its testers ran out of. */
export type LimitedRun = Pick<RunView, 'plan' | 'nodes' | 'testerLimits' | 'phases' | 'verdict'>;

/**
 * The offer to split a run over one tester more. `fleet` are all nodes that there are; `measured` gives what a tester was
 * burdened with. Undefined when no tester was too weak, or when nobody would be left to split.
 */
export function splitOf(
  run: LimitedRun,
  fleet: readonly NodeView[],
  measured: (tester: NodeView) => readonly Measured[],
): TesterSplit | undefined {
  // A tester that can't hold its share is refused before anybody arrives, whatever else is said of it.
  if (run.phases.every(({ name }) => name === 'prepare')) return tooManySplit(run.plan, run.nodes, fleet);
  const limits = run.testerLimits ?? [];
  const [first] = limits;
  // Where something else decided the run, a further tester would change nothing.
  if (!first || (run.verdict && !isBoundByTester(run))) return undefined;
  const weak = limitedTesters(limits, run.nodes);
  const [tester] = weak;
  const split = newSplit(run.plan, fleet, weak, run.nodes);
  if (!split || !tester) return undefined;
  const { pull } = run.plan;
  const place = pull.by.findIndex((name) => isCalled(tester, name, run.plan));
  const share = withOneMore(pull)[Math.max(0, place)] ?? 0;
  // CPU says nothing of files, ports, memory and network.
  const costs = isOfCpu(first) ? measured(tester) : [];
  const [cost] = costs
    .flatMap((samples) => costOf(tester, samples, first.fromMs, share) ?? [])
    .sort((a, b) => b.percent - a.percent);
  return { ...split, why: 'limited', weakViewers: first.viewers, ...(cost ? { cost } : {}) };
}

/** Limits that less work mends: a tester that reads too late is as short of CPU as one whose CPU is full. */
function isOfCpu({ kind }: TesterLimit): boolean {
  return kind === 'cpu' || kind === 'arrivals' || kind === 'socket-buffers';
}

/** The same before a start: for a plan of which testers say that they can't hold their share. */
export function tooManySplit(
  plan: Plan,
  nodes: readonly NodeView[],
  fleet: readonly NodeView[] = nodes,
): TesterSplit | undefined {
  const weak = overfull(plan, nodes);
  const split = weak.length > 0 ? newSplit(plan, fleet, weak, nodes) : undefined;
  return split && { ...split, why: 'too-many', weakViewers: weak[0]?.viewerLimit ?? 0 };
}

/** The testers that ran out of something, each once, in the order of time. */
export function limitedTesters(limits: readonly TesterLimit[], nodes: readonly NodeView[]): NodeView[] {
  const ids = [...new Set([...limits].sort((a, b) => a.fromMs - b.fromMs).map(({ node }) => node))];
  return ids.flatMap((id) => nodes.find((node) => node.id === id) ?? []);
}

/** The plan with one tester more, in the name that the plan has for it or can have. */
export function withTester(plan: Plan, tester: NodeView): Plan {
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
  plan: Plan,
  fleet: readonly NodeView[],
  weak: readonly NodeView[],
  nodes: readonly NodeView[],
): Pick<TesterSplit, 'weak' | 'protocol' | 'parts' | 'each' | 'eachBefore' | 'candidates'> | undefined {
  const { viewers, by, weights } = plan.pull;
  const parts = by.length + 1;
  // With several audiences a further tester of one of them would not relieve the others.
  if (viewers < parts || plan.also?.length) return undefined;
  return {
    weak,
    protocol: plan.pull.protocol,
    parts,
    each: sharesText(withOneMore(plan.pull)),
    eachBefore: sharesText(sharesOf(viewers, by, weights)),
    candidates: candidatesOf(plan, fleet, nodes, weak),
  };
}

/** What each would get with a further tester of weight 1, which comes last. */
function withOneMore({ viewers, by, weights }: PlanPull): readonly number[] {
  const further = `${by.join(' ')} and another`;
  return sharesOf(viewers, [...by, further], weights);
}

/** Testers of the plan whose share is more than they say they can hold. */
function overfull(plan: Plan, nodes: readonly NodeView[]): NodeView[] {
  const shares = burdens(plan);
  return plan.pull.by.flatMap((name) => {
    const node = nodes.find((each) => each.role === 'tester' && isCalled(each, name, plan));
    const limit = node?.viewerLimit;
    return node && limit !== undefined && (shares.get(name) ?? 0) > limit ? [node] : [];
  });
}

function isCalled(node: NodeView, name: string, plan: Plan): boolean {
  if (node.id === name || planNodeName(node) === name) return true;
  const settings = plan.nodes[name];
  return settings !== undefined && sameSettings(settings, settingsOf(node));
}

/** Who can be the further tester: on another host first, since a tester shares its host's CPU with whoever is there. */
function candidatesOf(
  plan: Plan,
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
  const room = (node: NodeView): number => testerStrength(node, protocol)?.viewers ?? 0;
  return fleet
    .filter(
      (node) =>
        node.role === 'tester' &&
        node.state !== 'failed' &&
        !by.some((name) => isCalled(node, name, plan)) &&
        (node.can?.pull.includes(protocol) ?? true) &&
        (node.viewerLimit === undefined || node.viewerLimit >= share),
    )
    .sort((a, b) => doubts(a) - doubts(b) || room(b) - room(a));
}

function freeName(wish: string, plan: Plan): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wish : `${wish.slice(0, 60)}-${number}`;
    if (!Object.hasOwn(plan.nodes, name)) return name;
  }
}
