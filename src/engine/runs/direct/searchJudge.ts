import type { Plan, PlanPull } from '../../../domain/plan/plan';
import type { FailureGroup, TesterLimit } from '../../../domain/run';
import { judgeTrial } from '../../../domain/search/judgeTrial';
import { whatGaveOut } from '../../../domain/search/gaveOut';
import { audiencesOf } from '../../../domain/shares';
import type { Evidence } from './directorOf';
import type { ExplainBreak, JudgeTrial } from './searchDirector';

export interface SearchJudge {
  readonly judge: JudgeTrial;
  readonly explain: ExplainBreak;
}

const keyOf = ({ tester, stage, cause }: FailureGroup): string => `${tester} ${stage} ${cause}`;

/** Judges the trials of a run under way by its samples, and says at the end what gave out first. */
export function searchJudge(pull: PlanPull, { view, reading }: Evidence): SearchJudge {
  /** What had failed, and until when it was watched, before the size under trial was asked for. */
  let before: ReadonlyMap<string, number> = new Map();
  let sinceMs = 0;
  let last:
    | { readonly viewers: number; readonly toMs: number; readonly failures: readonly FailureGroup[] }
    | undefined;
  /** As if the audience that is searched with were the plan's first. */
  const planOf = (plan: Plan): Plan => ({ ...plan, pull, also: audiencesOf(plan).slice(1) });
  return {
    judge: (fromMs, toMs, viewers) => {
      const run = view();
      if (last && last.viewers !== viewers) {
        before = new Map(last.failures.map((group) => [keyOf(group), group.count]));
        sinceMs = last.toMs;
      }
      last = { viewers, toMs, failures: run.failures };
      return reading((reader) =>
        judgeTrial({
          plan: planOf(run.plan),
          nodes: run.nodes,
          viewers,
          fromMs,
          toMs,
          startedMs: run.phases.find(({ name }) => name === 'ramp')?.startMs ?? run.startedMs,
          values: (node, series) => reader.values(node, series, fromMs, toMs + 1),
          testerLimits: (run.testerLimits ?? []).filter(
            (limit) => !isRefusal(limit) || limit.fromMs >= sinceMs,
          ),
          ...{ baseline: run.baseline, otherLoad: run.otherLoad },
          failures: run.failures.flatMap((group) => {
            const count = group.count - (before.get(keyOf(group)) ?? 0);
            return count > 0 ? [{ ...group, count }] : [];
          }),
        }),
      );
    },
    explain: (found) => {
      const run = view();
      return reading((reader) =>
        whatGaveOut({
          found,
          plan: planOf(run.plan),
          nodes: run.nodes,
          startedMs: run.startedMs,
          failures: run.failures,
          values: (node, series, fromMs, toMs) => reader.values(node, series, fromMs, toMs + 1),
        }),
      );
    },
  };
}

/** A tester that would not take its part once: it says nothing of smaller ones. */
function isRefusal({ viewers, toMs, kind }: TesterLimit): boolean {
  return viewers === 0 && toMs === undefined && (kind === 'ports' || kind === 'open-files');
}
