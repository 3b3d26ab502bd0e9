import { audiencesOf } from '../../domain/model/distribution';
import type { Plan } from '../../domain/model/plan';
import { firstOrigin, publisherGroups } from '../../domain/model/publisherGroup';
import type { PreflightProgress } from '../../domain/preflight/progress';
import type { PreflightFinding, PreflightReport } from '../../domain/model/preflightReport';
import type { TesterMeasured } from '../../domain/model/testerMeasured';
import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import type { AllowedPlan } from '../consent/allowedPlan';
import type { FleetNode } from '../fleet/node';
import { catalogue } from './catalogue';
import { runCheck } from './check';
import { nodesOf } from './nodeRoles';
import { familyRules } from './custom/familyRules';
import { readCustomRules, type RuleFileProblem } from './custom/readCustomRules';

/** How long a result is valid for a run that starts: settings rarely change, but free memory and the load do. */
const freshMs = 10 * 60_000;

export interface PreflightsOptions {
  readonly clock: Clock;
  /** Folder with custom rules. */
  readonly rulesFolder?: string | undefined;
  /** Finds the nodes of a plan, as a run does. */
  readonly bind: (allowed: AllowedPlan) => ReadonlyMap<string, FleetNode>;
  /** Known cost of viewers on a tester. */
  readonly measured?: (node: FleetNode) => TesterMeasured | undefined;
}

/** Runs preflights. The latest result is kept for the run that follows it. */
export class Preflights {
  readonly news = new Emitter<PreflightProgress>();
  private readonly active = new Map<string, AbortController>();
  private last: { readonly key: string; readonly report: PreflightReport } | undefined;

  constructor(private readonly options: PreflightsOptions) {}

  /** Checks the plan's origin and testers; reports progress by `news`. Rejects with `cancelled`, or with a sentence. */
  async run(id: string, allowed: AllowedPlan): Promise<PreflightReport> {
    const { plan } = allowed;
    if (this.active.has(id)) throw new FullhouseError('busy', 'This preflight is running already.');
    const nodes = this.options.bind(allowed);
    const abort = new AbortController();
    this.active.set(id, abort);
    let latest: PreflightProgress = { id, state: 'running', nodes: [], findings: [] };
    try {
      const { rulesFolder } = this.options;
      const customRules = rulesFolder === undefined ? undefined : await readCustomRules(rulesFolder);
      const report = await runCheck({
        id,
        plan,
        nodes,
        measured: this.options.measured,
        rules: [...catalogue, ...familyRules(), ...(customRules?.rules ?? [])],
        remarks: (customRules?.problems ?? []).map((problem) => remarkOf(problem, firstOrigin(plan))),
        clock: this.options.clock,
        signal: abort.signal,
        onProgress: (context) => {
          latest = context;
          if (!abort.signal.aborted) this.news.emit(context);
        },
      });
      if (abort.signal.aborted) throw cancelled();
      this.last = { key: keyOf(plan, nodes), report };
      this.news.emit({ ...latest, state: 'done', findings: report.findings, report });
      return report;
    } catch (error) {
      const problem = abort.signal.aborted ? cancelled() : (error as Error);
      this.news.emit({
        ...latest,
        state: abort.signal.aborted ? 'cancelled' : 'failed',
        problem: problem.message,
      });
      throw problem;
    } finally {
      this.active.delete(id);
    }
  }

  cancel(id: string): void {
    this.active.get(id)?.abort();
  }

  /** The recent findings for these nodes, for a run that starts with them now. */
  recent(plan: Plan, nodes: ReadonlyMap<string, FleetNode>): PreflightReport | undefined {
    const { last } = this;
    if (!last || last.key !== keyOf(plan, nodes)) return undefined;
    return this.options.clock.now() - last.report.timeMs <= freshMs ? last.report : undefined;
  }

  close(): void {
    for (const abort of this.active.values()) abort.abort();
  }
}

/** An unusable rule file appears in the report: its user must know that its rules were not applied. */
function remarkOf({ file, sentence }: RuleFileProblem, node: string): PreflightFinding {
  return {
    rule: `own.${file}`,
    title: file,
    node,
    result: 'unread',
    sentence,
    why: 'The rules of this file were not applied.',
    source: file,
  };
}

function cancelled(): FullhouseError {
  return new FullhouseError('cancelled', 'The preflight was cancelled.');
}

/** Equal for the same origin and testers under the same names, with the same number of viewers, on which rules depend. */
function keyOf(plan: Plan, nodes: ReadonlyMap<string, FleetNode>): string {
  return JSON.stringify([
    nodesOf(plan).map((name) => [name, nodes.get(name)?.id, nodes.get(name)?.settings]),
    audiencesOf(plan).map(({ viewers, stream, protocol }) => [viewers, stream, protocol]),
    publisherGroups(plan).map(({ publishers, publication }) => [publishers, publication.stream, publication.protocol]),
  ]);
}
