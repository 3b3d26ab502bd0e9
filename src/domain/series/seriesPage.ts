import { exampleIn } from './seriesAmount';
import { seriesDefinitions, type SeriesSource } from './series';

const headings: Readonly<Record<SeriesSource, string>> = {
  host: 'Of a host',
  process: 'Of a process: an agent, or the server under test',
  origin: 'Of the server under test',
  audience: 'Of the audience, per tester',
  player: 'Of the control player, the browser viewers and the publishing window',
};

function tableOf(source: SeriesSource): string {
  const rows = Object.entries(seriesDefinitions)
    .filter(([, definition]) => definition.source === source)
    .map(([name, { title, unit, meaning }]) => `| \`${name}\` | ${title} | \`${exampleIn(unit)}\` | ${meaning} |`);
  return ['| series | title | in a plan | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** docs/series.md. */
export const seriesPage = (): string =>
  [
    '# Series',
    'Generated from `src/domain/series/series.ts`: every figure of a run, its definition and how a threshold writes it.\n' +
      'A server may add its own as `server:NAME`, plain numbers. `cpuCorePercent:0` is one core, `networkOutMbps:eth0` one\n' +
      'interface. Thresholds in plans: [plans.md](plans.md#any-series).',
    ...(Object.keys(headings) as SeriesSource[]).flatMap((source) => [`## ${headings[source]}`, tableOf(source)]),
  ].join('\n\n') + '\n';
