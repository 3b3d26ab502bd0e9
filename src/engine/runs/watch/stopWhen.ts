import type { StopCondition } from '../../../domain/model/plan';
import type { RunFigures } from '../../../domain/model/run';
import { seriesDefinition, type Sample } from '../../../domain/series/series';
import { stopReachedText, type StopReached } from '../../../domain/evidence/evidence';
import { isFigureOfViewers } from '../../../domain/series/viewerFigures';
import { isAffectable } from '../../../domain/verdict/affectable';
import { seconds } from '../../base/sentences';
import { LimitWatch } from './limit';
import { formatRounded } from '../../../domain/text/numberFormat';

interface Observed {
  readonly condition: StopCondition;
  /** By node, and one under '' for the entire audience. */
  readonly watches: Map<string, LimitWatch>;
  readonly clients: 'viewers' | 'publishers';
}

/** Checks a plan's stop conditions; reports the first that has lasted. */
export class StopWhen {
  private readonly all: readonly Observed[];

  constructor(
    conditions: readonly StopCondition[] = [],
    /** Names of the nodes that viewers are pulled from. */
    private readonly origins: readonly string[],
    /** `this machine is busy: …` for the host of a node, if other programs use it. */
    private readonly busy: (node: string) => string | undefined = () => undefined,
    /** What fails: viewers, or publishers alone. */
    private readonly clients: 'viewers' | 'publishers' = 'viewers',
  ) {
    this.all = conditions.map((condition) => ({ condition, watches: new Map(), clients: this.clients }));
  }

  sample({ series, node, timeMs, value }: Sample): StopReached | undefined {
    for (const observed of this.all) {
      const { what, node: only } = observed.condition;
      const fits =
        what === 'cpu'
          ? series === 'cpuPercent' && this.origins.includes(node)
          : what === series && (only ?? node) === node;
      const reached = fits ? update(observed, node, timeMs, value, this.busy) : undefined;
      if (reached) return reached;
    }
    return undefined;
  }

  figures({ timeMs, connected, degraded, failed, requested }: RunFigures): StopReached | undefined {
    const percent = (part: number, whole: number): number | undefined => (whole > 0 ? (100 * part) / whole : undefined);
    for (const observed of this.all) {
      const { what } = observed.condition;
      if (what !== 'degraded' && what !== 'failed') continue;
      const value = what === 'degraded' ? percent(degraded, connected) : percent(failed, requested);
      const reached = update(observed, '', timeMs, value, () => this.origins.map(this.busy).find(Boolean));
      if (reached) return reached;
    }
    return undefined;
  }
}

function update(
  { condition, watches, clients }: Observed,
  node: string,
  timeMs: number,
  value: number | undefined,
  busyOf: (node: string) => string | undefined,
): StopReached | undefined {
  const { comparison, value: limit, forMs } = condition;
  const watch =
    watches.get(node) ?? new LimitWatch({ limit, comparison: allowedBy(condition), overForMs: forMs, backForMs: 0 });
  watches.set(node, watch);
  if (watch.update(timeMs, value) !== 'over' || value === undefined) return undefined;
  const words = wordsOf(condition, clients);
  const isCpu = condition.what === 'cpu' || condition.what === 'cpuPercent';
  const busy = isCpu || subjectOf(condition).isOfViewers === true ? busyOf(node) : undefined;
  const whose = node === '' ? '' : ` of ${node}`;
  return {
    timeMs,
    sentence: `${stopReachedText}: ${words.title}${whose} was ${comparison === '>' ? 'over' : 'under'} ${formatRounded(limit)}${words.unit} for ${seconds(forMs)}, last ${formatRounded(value)}${words.unit}${busy === undefined ? '' : `; ${busy}`}.`,
    limit: { comparison: allowedBy(condition), value: limit, forMs },
    value,
    expected: `stop at ${words.title} ${comparison} ${formatRounded(limit)}${words.unit} for ${seconds(forMs)}`,
    ...(node === '' ? {} : { node }),
    ...subjectOf(condition),
  };
}

/** The opposite of a condition: what is allowed without stopping. */
const allowedBy = ({ comparison }: StopCondition): '<=' | '>=' => (comparison === '>' ? '<=' : '>=');

/** The plan's expectation, or the series, that a condition is about. */
function subjectOf(condition: StopCondition): Pick<StopReached, 'expectation' | 'series' | 'isOfViewers'> {
  const { what } = condition;
  if (what === 'cpu') return { expectation: 'cpu' };
  if (what === 'degraded') return { expectation: 'degraded', isOfViewers: true };
  if (what === 'failed') return { expectation: 'connected', isOfViewers: true };
  const isOfViewers = isFigureOfViewers(what) && isAffectable({ series: what, comparison: allowedBy(condition) });
  return { series: what, ...(isOfViewers ? { isOfViewers } : {}) };
}

function wordsOf(
  { what }: StopCondition,
  clients: Observed['clients'],
): { readonly title: string; readonly unit: string } {
  if (what === 'degraded') return { title: 'the share of degraded viewers', unit: ' %' };
  if (what === 'failed') return { title: `the share of failed ${clients}`, unit: ' %' };
  if (what === 'cpu') return { title: 'CPU', unit: ' %' };
  const definition = seriesDefinition(what);
  return { title: definition?.title ?? what, unit: definition?.unit ? ` ${definition.unit}` : '' };
}
