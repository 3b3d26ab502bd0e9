import { formatCount } from '../text/numberFormat';
import { largest } from '../node/nodeFigures';
import { percentile } from '../series/percentile';
import { curves, type CurveId } from './curves';
import { atAudience, delayOf, most, overRun, percentileOf, type RunMeasure } from './measureRun';

/** One row of the table: a figure that every run has or lacks. */
export interface FigureDefinition {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly better: 'more' | 'less' | 'neither';
  /** `main` is shown in the panel, `percentiles` in the full table and in exports. */
  readonly group: 'main' | 'percentiles';
  readonly decimals: 0 | 1;
  /** Resolution of the measurement itself, in the figure's unit. */
  readonly resolution: number;
  readonly of: (measure: RunMeasure) => number | undefined;
}

const curveRows: ReadonlyArray<{ id: CurveId; better: FigureDefinition['better']; resolution: number }> = [
  { id: 'cpu', better: 'less', resolution: 0.5 },
  { id: 'gc', better: 'less', resolution: 0.1 },
  { id: 'degraded', better: 'less', resolution: 0.1 },
  { id: 'connect', better: 'less', resolution: 1 },
  { id: 'jitter', better: 'less', resolution: 0.1 },
  { id: 'frameRate', better: 'more', resolution: 0.1 },
  { id: 'mediaOut', better: 'neither', resolution: 0.1 },
  { id: 'memory', better: 'less', resolution: 1 },
];

const percentiles = [50, 95, 99] as const;

function connectedTitle(compared: readonly RunMeasure[]): string {
  const isAlone = compared.map(({ clients }) => clients === 'publishers');
  if (!isAlone.includes(true)) return 'Viewers';
  return isAlone.includes(false) ? 'Viewers or publishers' : 'Publishers';
}

/** The table's rows. `common`: an audience size that all of the compared runs had. */
export function figureDefinitions(
  common: number | undefined,
  compared: readonly RunMeasure[],
): readonly FigureDefinition[] {
  const main = (
    id: string,
    title: string,
    unit: string,
    better: FigureDefinition['better'],
    [decimals, resolution]: readonly [0 | 1, number],
    of: FigureDefinition['of'],
  ): FigureDefinition => ({ id, title, unit, better, group: 'main', decimals, resolution, of });
  const connected = (percent: number) => (measure: RunMeasure) => percentile(measure.connectMs, percent);
  const ofViewers = (id: CurveId, percent: 50 | 95 | 99): FigureDefinition['of'] => {
    const overTime = (run: RunMeasure): number | undefined => overRun(run, id, percent);
    return id === 'jitter' ? percentileOf(compared, 'jitterMs', percent, overTime) : overTime;
  };
  const delay = delayOf(compared);
  const delayRow = (percent: 50 | 95 | 99): readonly FigureDefinition[] => {
    if (!delay) return [];
    const title = `Delay p${percent}, ${delay.by}`;
    return [main(`delayP${percent}`, title, 'ms', 'less', [0, 1], delay.of(percent))];
  };
  const at = common === undefined ? '' : formatCount(common);
  return [
    main('connected', `${connectedTitle(compared)} connected`, '', 'more', [0, 1], (run) => run.connected),
    main('publisherOutages', 'Outages of publishers', '', 'less', [0, 1], ({ clients, view }) =>
      clients === 'publishers' ? view.verdict?.outages?.count : undefined,
    ),
    main('sentMost', 'Peak sent by publishers', 'Mbit/s', 'neither', [1, 0.1], (run) => run.sentMbps),
    main('firstLimit', 'First limit at', '', 'more', [0, 1], (run) => run.firstLimit?.viewers),
    main('limit', 'Limit found', '', 'more', [0, 1], (run) => run.view.limit?.viewers),
    main('cpuMost', 'Peak origin CPU', '%', 'less', [1, 0.5], (run) =>
      largest(run.nodes, 'origin', ({ cpuMaxPercent }) => cpuMaxPercent),
    ),
    main('gcMost', 'Max GC pause', 'ms', 'less', [1, 0.1], (run) =>
      largest(run.nodes, 'origin', ({ gcPauseMaxMs }) => gcPauseMaxMs),
    ),
    main('degradedMost', 'Peak degraded', '%', 'less', [1, 0.1], (run) => most(run, 'degraded')),
    ...(common === undefined
      ? []
      : [
          main('connectAt', `Connect p50 at ${at}`, 'ms', 'less', [0, 1], (run) => atAudience(run, 'connect', common)),
          main('cpuAt', `Origin CPU at ${at}`, '%', 'less', [1, 0.5], (run) => atAudience(run, 'cpu', common)),
        ]),
    main('connectP50', 'Connect p50', 'ms', 'less', [0, 1], connected(50)),
    main('connectP95', 'Connect p95', 'ms', 'less', [0, 1], connected(95)),
    main('jitterP95', 'Jitter p95', 'ms', 'less', [1, 0.1], ofViewers('jitter', 95)),
    ...[...delayRow(50), ...delayRow(95)],
    ...delayRow(99).map((each) => ({ ...each, group: 'percentiles' as const })),
    ...curveRows.flatMap(({ id, better, resolution }) =>
      percentiles.map((percent): FigureDefinition => {
        const { title, unit } = curves[id];
        const value = ofViewers(id, percent);
        const name = id === 'connect' || id === 'jitter' ? title.replace(/ p\d+$/, '') : title;
        return {
          id: `${id}.p${percent}`,
          title: `${name} p${percent}`,
          unit,
          better,
          group: 'percentiles',
          decimals: resolution >= 1 ? 0 : 1,
          resolution,
          of: (run) => (id === 'connect' ? percentile(run.connectMs, percent) : value(run)),
        };
      }),
    ),
  ];
}
