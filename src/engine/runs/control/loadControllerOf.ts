import { audiencesOf } from '../../../domain/model/distribution';
import type { FailureGroup, RunView, TesterLimit } from '../../../domain/model/run';
import { failureKey } from '../../../domain/run/failureKey';
import { findBottleneck } from '../../../domain/search/bottleneck';
import { judgeTrial } from '../../../domain/search/judgeTrial';
import type { PublisherGroup, PullPlan } from '../../../domain/model/publisherGroup';
import type { Plan } from '../../../domain/model/plan';
import type { SeriesId } from '../../../domain/series/series';
import type { TrialInput } from '../../../domain/search/trialInput';
import { counted } from '../../../domain/text/numberFormat';
import type { SeriesValues } from '../../store';
import type { PublishersInParts } from '../runPublishers';
import type { LoadController } from './loadController';
import { type FindBottleneck, type JudgeTrial, limitSearchController } from './limitSearchController';
import { StagedLoadController } from './stagedLoadController';

/** The controller of the plan's audience; undefined for an audience with one ramp, hold and drain. */
export function loadControllerOf({ pull }: PullPlan, evidence: ControllerEvidence): LoadController | undefined {
  const { search, stages, ratePerSecond, rooms } = pull;
  if (search) {
    // As if the searching audience were the plan's first.
    const planOf = (plan: Plan): Plan => ({ ...plan, pull, also: audiencesOf(plan).slice(1) });
    const { judge, explain } = searchJudge(planOf, evidence);
    return limitSearchController(search, ratePerSecond, judge, explain, rooms?.size);
  }
  return stages ? new StagedLoadController(stages) : undefined;
}

/** The controller of publishers alone that are searched for their largest number. */
export function publisherSearch(
  { search, ratePerSecond }: Pick<Required<PublisherGroup>, 'search' | 'ratePerSecond'>,
  evidence: ControllerEvidence,
): LoadController {
  const { judge, explain } = searchJudge((plan) => plan, evidence);
  return limitSearchController(search, ratePerSecond, judge, explain, undefined, 'publishers');
}

/** Why publishers of the current size failed, and those that their tester did not even start. */
function publisherFaults({ published }: ControllerEvidence): Pick<TrialInput, 'problems' | 'orderFault'> {
  const parts = published.controlled?.active ?? [];
  const unordered = parts.filter(({ couldNotStart }) => couldNotStart);
  const [first] = unordered;
  const count = unordered.reduce((sum, { group }) => sum + group.publishers, 0);
  return {
    problems: parts.flatMap((part) => part.view().problems ?? []),
    ...(first
      ? { orderFault: `${first.group.by} could not start ${counted(count, 'publisher')}: ${first.problem ?? ''}` }
      : {}),
  };
}

interface SearchJudge {
  readonly judge: JudgeTrial;
  readonly explain: FindBottleneck;
}

/** Judges the trials of an active run by its samples, and names the bottleneck at the end. */
function searchJudge(planOf: (plan: Plan) => Plan, evidence: ControllerEvidence): SearchJudge {
  /** What had failed, and until when it was measured, before the current size was requested. */
  let before: ReadonlyMap<string, number> = new Map();
  let sinceMs = 0;
  let last: { readonly viewers: number; readonly toMs: number; readonly failures: readonly FailureGroup[] } | undefined;
  return {
    judge: (fromMs, toMs, viewers) => {
      const run = evidence.view();
      if (last && last.viewers !== viewers) {
        before = new Map(last.failures.map((group) => [failureKey(group), group.count]));
        sinceMs = last.toMs;
      }
      last = { viewers, toMs, failures: run.failures };
      return judgeTrial({
        plan: planOf(run.plan),
        nodes: run.nodes,
        viewers,
        fromMs,
        toMs,
        startedMs: run.phases.find(({ name }) => name === 'ramp')?.startMs ?? run.startedMs,
        values: (node, series) => evidence.values(node, series, fromMs, toMs + 1),
        testerLimits: (run.testerLimits ?? []).filter((limit) => !isRefusal(limit) || limit.fromMs >= sinceMs),
        ...{ baseline: run.baseline, otherLoad: run.otherLoad },
        failures: run.failures.flatMap((group) => {
          const count = group.count - (before.get(failureKey(group)) ?? 0);
          return count > 0 ? [{ ...group, count }] : [];
        }),
        ...publisherFaults(evidence),
      });
    },
    explain: (result) => {
      const run = evidence.view();
      return findBottleneck({
        found: result,
        plan: planOf(run.plan),
        nodes: run.nodes,
        startedMs: run.startedMs,
        failures: run.failures,
        problems: run.published?.flatMap(({ problems = [] }) => problems) ?? [],
        values: (node, series, fromMs, toMs) => evidence.values(node, series, fromMs, toMs + 1),
      });
    },
  };
}

/** A tester that refused its share once; this does not apply to smaller shares. */
function isRefusal({ viewers, toMs, kind }: TesterLimit): boolean {
  return viewers === 0 && toMs === undefined && (kind === 'ports' || kind === 'open-files');
}

/** What a controller may read besides the state of its audience. */
interface ControllerEvidence {
  /** The current run. */
  view(): RunView;
  /** Its publishers alone. */
  readonly published: { readonly controlled: PublishersInParts | undefined };
  /** One series of one node so far, `toMs` excluded: from memory, since a controller never waits for a disk. */
  values(node: string, series: SeriesId, fromMs: number, toMs: number): SeriesValues;
}
