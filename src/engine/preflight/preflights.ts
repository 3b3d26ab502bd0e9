import type { Plan } from '../../domain/plan/plan';
import type { PreflightLook } from '../../domain/preflight/look';
import type { PreflightFinding, PreflightReport } from '../../domain/preflight/report';
import type { TesterMeasured } from '../../domain/tester/strength';
import { FullhouseError } from '../../contract/calls';
import { Emitter } from '../emitter';
import type { FleetNode } from '../fleet/node';
import { catalogue } from './catalogue';
import { lookAt } from './look';
import { nodesOf } from './looks';
import { readOwnRules, type RuleFileProblem } from './own/readOwnRules';

/** A look is worth that long for a run that starts: settings rarely change, but free memory and the load do. */
const freshMs = 10 * 60_000;

export interface PreflightsOptions {
  readonly now: () => number;
  /** Folder with rules of one's own. */
  readonly rulesFolder?: string | undefined;
  /** Finds the nodes of a plan, as a run does. */
  readonly bind: (plan: Plan) => ReadonlyMap<string, FleetNode>;
  /** What is known of what viewers cost a tester. */
  readonly measured?: (node: FleetNode) => TesterMeasured | undefined;
}

/** Looks before the load. What the last one found is kept for the run that follows it. */
export class Preflights {
  readonly news = new Emitter<PreflightLook>();
  private readonly underWay = new Map<string, AbortController>();
  private last: { readonly key: string; readonly report: PreflightReport } | undefined;

  constructor(private readonly options: PreflightsOptions) {}

  /** Looks at the plan's origin and testers; its course comes by `news`. Rejects with `cancelled`, or with a sentence. */
  async run(id: string, plan: Plan): Promise<PreflightReport> {
    if (this.underWay.has(id)) throw new FullhouseError('busy', 'This look is under way already.');
    const nodes = this.options.bind(plan);
    const abort = new AbortController();
    this.underWay.set(id, abort);
    let latest: PreflightLook = { id, state: 'running', nodes: [], findings: [] };
    try {
      const { rulesFolder } = this.options;
      const own = rulesFolder === undefined ? undefined : await readOwnRules(rulesFolder);
      const report = await lookAt({
        id,
        plan,
        nodes,
        measured: this.options.measured,
        rules: [...catalogue, ...(own?.rules ?? [])],
        remarks: (own?.problems ?? []).map((problem) => remarkOf(problem, plan.pull.from)),
        now: this.options.now,
        signal: abort.signal,
        tell: (look) => {
          latest = look;
          if (!abort.signal.aborted) this.news.emit(look);
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
      this.underWay.delete(id);
    }
  }

  cancel(id: string): void {
    this.underWay.get(id)?.abort();
  }

  /** What was found at these nodes shortly before, for the run that starts with them now. */
  recent(plan: Plan, nodes: ReadonlyMap<string, FleetNode>): PreflightReport | undefined {
    const { last } = this;
    if (!last || last.key !== keyOf(plan, nodes)) return undefined;
    return this.options.now() - last.report.timeMs <= freshMs ? last.report : undefined;
  }

  close(): void {
    for (const abort of this.underWay.values()) abort.abort();
  }
}

/** A file of rules that can't be used stands in the report: who relies on its rules has to know that nobody looked. */
function remarkOf({ file, sentence }: RuleFileProblem, node: string): PreflightFinding {
  return {
    rule: `own.${file}`,
    title: file,
    node,
    result: 'unread',
    sentence,
    why: 'The rules of this file were not looked at.',
    source: file,
  };
}

function cancelled(): FullhouseError {
  return new FullhouseError('cancelled', 'The look was called off.');
}

/** The same origin and testers under the same names; how many viewers there are to be is part of it, since rules speak of them. */
function keyOf(plan: Plan, nodes: ReadonlyMap<string, FleetNode>): string {
  return JSON.stringify([
    nodesOf(plan).map((name) => [name, nodes.get(name)?.id, nodes.get(name)?.settings]),
    [plan.pull, ...(plan.also ?? [])].map(({ viewers, stream, protocol }) => [viewers, stream, protocol]),
  ]);
}
