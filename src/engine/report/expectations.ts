import { expectationIds, type ComparisonOperator, type SeriesThreshold } from '../../domain/model/plan';
import { publishesOnly } from '../../domain/model/publisherGroup';
import type { RunView, VerdictFinding, VerdictReason } from '../../domain/model/run';
import { causeOf } from '../../domain/evidence/cause';
import { describeExpectation, expectationRules } from '../../domain/plan/expectationText';
import { describeDelay } from '../../domain/plan/delayText';
import { seriesDefinition } from '../../domain/series/series';
import { expectedDelay } from '../../domain/verdict/verdictDelay';
import { expectedOf } from '../../domain/verdict/verdictThresholds';
import { nodeNamed } from './pageData';

/** The subject of a reason, note or finding of a verdict. */
type Subject = Partial<Pick<VerdictReason, 'expectation' | 'series' | 'expected' | 'node'>>;

/** An expectation of a run's plan, and which parts of its verdict belong to it. */
export interface PlanExpectation {
  /** The expectation's own, or its series. */
  readonly id: string;
  readonly name: string;
  readonly comparison: ComparisonOperator;
  readonly value: number;
  readonly unit: string;
  /** As in a reason of the verdict. */
  readonly expected: string;
  /** The node that the plan names. */
  readonly node?: string | undefined;
  readonly matches: (reason: Subject) => boolean;
  /** A stopped run never had the time for it. */
  readonly needsFullTime: boolean;
}

const titles = {
  connected: 'viewers connected',
  outages: 'longest outage',
  degraded: 'viewers degraded',
  cpu: 'CPU of the origin',
  gcPause: 'GC pause of the origin',
} as const;

export function planExpectations(view: Pick<RunView, 'plan' | 'nodes'>): PlanExpectation[] {
  const { plan } = view;
  const isAlone = publishesOnly(plan);
  return [
    ...expectationIds.flatMap((id): PlanExpectation[] => {
      const expectation = plan.expect[id];
      // Publishers alone have no viewers that degrade.
      if (!expectation || (isAlone && id === 'degraded')) return [];
      const title = isAlone && id === 'connected' ? 'publishers connected' : titles[id];
      const text = describeExpectation(id, expectation);
      return [
        {
          ...{ id, name: `${title} ${text}`, expected: `expected ${text}` },
          ...{ comparison: expectation.comparison, value: expectation.value, unit: expectationRules[id].unit },
          matches: (reason) => reason.expectation === id,
          needsFullTime: id === 'connected' || id === 'outages',
        },
      ];
    }),
    ...(plan.thresholds ?? []).map((threshold): PlanExpectation => {
      const { series, node, comparison, value } = threshold;
      const { title = series, unit = '' } = seriesDefinition(series) ?? {};
      return {
        ...{ id: series, expected: expectedOf(threshold), comparison, value, unit, node },
        name: `${title}${node === undefined ? '' : ` of ${node}`} ${comparison} ${value}${unit && ` ${unit}`}`,
        matches: (reason) => isOf(view, reason, threshold),
        needsFullTime: false,
      };
    }),
    ...(plan.delay ?? []).map((expectation): PlanExpectation => {
      const expected = expectedDelay(expectation);
      return {
        ...{ id: 'delay', expected, comparison: '<=', value: expectation.valueMs, unit: 'ms' },
        name: `delay ${describeDelay(expectation)}`,
        matches: (reason) => reason.series !== undefined && reason.expected === expected,
        needsFullTime: false,
      };
    }),
  ];
}

/** What the verdict of a run found for an expectation, one for each node or audience; none in older runs. */
export const findingsOf = ({ verdict }: RunView, { matches }: PlanExpectation): readonly VerdictFinding[] =>
  verdict?.findings?.filter(matches) ?? [];

/** The names of findings: that of the expectation, with the audience or node where there are several. */
export function findingNames(
  { nodes }: Pick<RunView, 'nodes'>,
  { name }: PlanExpectation,
  findings: readonly VerdictFinding[],
): readonly string[] {
  if (findings.length < 2) return findings.map(() => name);
  const audiences = findings.map(({ audience }) => audience);
  const named = findings.map(({ node }) => (node === undefined ? undefined : (nodeNamed(nodes, node)?.name ?? node)));
  const several = [audiences, named].filter((names) => new Set(names).size > 1);
  return findings.map((_, place) => {
    const of = several.flatMap((each) => each[place] ?? []);
    return of.length > 0 ? `${name}: ${of.join(', ')}` : name;
  });
}

/** The reason of the verdict that a finding has become; undefined if it decided nothing. */
export const reasonOfFinding = ({ verdict }: RunView, finding: VerdictFinding): VerdictReason | undefined =>
  verdict?.reasons.find(({ sentence, timeMs }) => sentence === finding.sentence && timeMs === finding.timeMs);

/** Whether a missed expectation is the origin's: otherwise nothing is proven about it. */
export const isOfOrigin = (reason: VerdictReason, view: RunView): boolean => causeOf(reason, view) === 'origin';

function isOf(view: Pick<RunView, 'nodes'>, reason: Subject, threshold: SeriesThreshold): boolean {
  // Two thresholds of one series are distinguished by their expected values. One without measurements may have no node.
  if (reason.series !== threshold.series || reason.expected !== expectedOf(threshold)) return false;
  const { node } = threshold;
  return node === undefined || reason.node === undefined || reason.node === nodeNamed(view.nodes, node)?.id;
}
