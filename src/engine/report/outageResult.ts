import type { RunResult } from '../../contract/runResult';
import type { Amounts, Outage } from '../../domain/model/outages';
import type { RunView } from '../../domain/model/run';

type OutagesResult = NonNullable<RunResult['outages']>;
type OutageResult = OutagesResult['list'][number];

interface Totals {
  readonly count: number;
  readonly sumS: number;
  readonly longestS: number;
}

const tenths = (ms: number): number => Number((ms / 1000).toFixed(1));

/** Null for a run that was not judged. */
export function outagesResult({ verdict, startedMs }: RunView): OutagesResult | null {
  const { outages } = verdict ?? {};
  if (!outages) return null;
  const since = (timeMs: number): number => tenths(timeMs - startedMs);
  const totals = (of: Amounts): Totals => ({
    count: of.count,
    sumS: tenths(of.sumMs),
    longestS: tenths(of.longestMs),
  });
  const one = (outage: Outage): OutageResult => ({
    audience: outage.audience ?? null,
    fromS: since(outage.fromMs),
    toS: since(outage.toMs),
    isUntilEnd: outage.isUntilEnd === true,
    connectedMin: outage.lowest,
    connectedMinS: since(outage.lowestMs),
    requested: outage.requested,
    causedBy: outage.causedBy ?? null,
  });
  return {
    ...totals(outages),
    heldS: tenths(outages.heldMs),
    worst: outages.worst ? one(outages.worst) : null,
    list: outages.list.map(one),
    reconnections: outages.reconnections,
    gaps: {
      ...totals(outages.gaps),
      list: outages.gaps.list.map(({ audience = null, fromMs, toMs }) => ({
        audience,
        fromS: since(fromMs),
        toS: since(toMs),
      })),
    },
    audiences: (outages.audiences ?? []).map(({ name, reconnections, ...each }) => ({
      name,
      ...totals(each),
      reconnections,
    })),
  };
}

export function publisherOutagesResult({ publisherOutages = [], startedMs }: RunView): RunResult['publisherOutages'] {
  return publisherOutages.map(({ node, by, stream, fromMs, toMs, publishers, reason, isOriginLost }) => ({
    ...{ node, by, stream, reason },
    fromS: tenths(fromMs - startedMs),
    toS: toMs === undefined ? null : tenths(toMs - startedMs),
    publishers: publishers ?? null,
    isOriginLost: isOriginLost === true,
  }));
}
