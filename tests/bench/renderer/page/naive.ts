import {
  Chart,
  Decimation,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  type ChartConfiguration,
} from 'chart.js';
import type { SeriesId } from '../../../../src/domain/series/series';
import type { Scenario } from '../../../scenario';

Chart.register(Decimation, LinearScale, LineController, LineElement, PointElement);

const series: readonly SeriesId[] = [
  'cpuPercent',
  'load1',
  'memoryUsedBytes',
  'gcPauseMs',
  'networkInMbps',
  'networkOutMbps',
  'mediaInMbps',
  'frameRate',
  'jitterP95Ms',
  'connectP50Ms',
  'lossPercent',
  'rttP95Ms',
];

/** Unmodified chart.js on the same data, with its own decimation: the reference for the charts. */
export function mountNaive(root: HTMLElement, scenario: Scenario): void {
  root.style.cssText = 'display:grid;grid-template-columns:repeat(4,1fr);grid-auto-rows:1fr;height:100%';
  const points = new Map<string, { x: number; y: number }[]>();
  const feed = (fromMs: number, toMs: number): void => {
    const { keys, key, timeMs, value } = scenario.samples(fromMs, toMs);
    for (const [row, index] of key.entries()) {
      const of = keys[index];
      if (of)
        points.get(`${of.node} ${of.series}`)?.push({ x: (timeMs[row] ?? 0) - scenario.startedMs, y: value[row] ?? 0 });
    }
  };
  const charts = series.map((each) => {
    const box = document.createElement('div');
    box.style.cssText = 'position:relative;min-width:0;min-height:0';
    const canvas = box.appendChild(document.createElement('canvas'));
    root.appendChild(box);
    for (const node of scenario.nodes) points.set(`${node.id} ${each}`, []);
    const configuration: ChartConfiguration<'line', { x: number; y: number }[]> = {
      type: 'line',
      data: {
        datasets: scenario.nodes.map((node, index) => ({
          data: points.get(`${node.id} ${each}`) ?? [],
          borderColor: `hsl(${index * 22} 70% 60%)`,
          borderWidth: 1.5,
          pointRadius: 0,
        })),
      },
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        plugins: { decimation: { enabled: true, algorithm: 'min-max' } },
        scales: { x: { type: 'linear' }, y: { type: 'linear' } },
      },
    };
    return new Chart(canvas, configuration);
  });
  feed(0, scenario.lengthMs);
  for (const chart of charts) chart.update();
  const startedMs = Date.now();
  let fedMs = scenario.lengthMs;
  setInterval(() => {
    const untilMs = scenario.lengthMs + Date.now() - startedMs;
    feed(fedMs, untilMs);
    fedMs = Math.ceil(untilMs / 1000) * 1000;
    for (const chart of charts) chart.update();
  }, 1000);
}
