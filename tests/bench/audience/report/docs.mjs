import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { inRoot } from '../../../../scripts/setup/paths.mjs';
import { growthPlot } from './plot.mjs';
import { shown } from './spread.mjs';
import { markdownTable } from './table.mjs';

const page = inRoot('docs', 'performance.md');
const picture = inRoot('docs', 'pictures', 'audience-growth.svg');
const begin = '<!-- bench:audience, written by the command below -->';
const end = '<!-- end of bench:audience -->';

/** Inserts `lines` between the page's markers; throws if they are missing. */
export function replaceBetween(text, lines) {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no "${begin}" with "${end}" after it.`);
  return `${text.slice(0, from)}${begin}\n\n${lines.join('\n')}\n\n${text.slice(to)}`;
}

/** Cost of the agent and of the receive-only program by number of viewers, as lines of Markdown. */
export function growthTable({ ours, floor }) {
  return [
    '| viewers | packets/s | agent: CPU | agent: memory | receive-only: CPU | ratio |',
    '| --- | --- | --- | --- | --- | --- |',
    ...ours.map((each) => {
      const below = floor.find(({ viewers }) => viewers === each.viewers);
      const ratio = below ? (each.cpuPercent.median / below.cpuPercent.median).toFixed(2) : '';
      const rate = Math.round(each.packetsPerSecond?.median ?? 0).toLocaleString('en-US');
      return `| ${each.viewers.toLocaleString('en-US')} | ${rate} | ${shown(each.cpuPercent, '%')} | ${shown(each.rssMb, 'MB')} | ${shown(below?.cpuPercent, '%')} | ${ratio} |`;
    }),
  ];
}

/** Writes table and plot into the docs. */
export function writeDocs(rows, results, { command, date, machine }) {
  const bare = results.bare;
  const grows = bare !== undefined && bare.ours.length > 1 && bare.floor.length > 1;
  const lines = [`\`${command}\` on ${date}: ${machine}.`, '', ...markdownTable(rows)];
  if (grows) {
    lines.push(
      '',
      ...growthTable(bare),
      '',
      '![CPU of the audience by number of viewers](pictures/audience-growth.svg)',
    );
    mkdirSync(dirname(picture), { recursive: true });
    writeFileSync(picture, growthPlot(seriesOf(bare)));
  }
  writeFileSync(page, replaceBetween(readFileSync(page, 'utf8'), lines));
}

const seriesOf = ({ ours, floor }) => [
  { name: 'agent', kind: 'ours', points: ours },
  { name: 'recv-only', kind: 'floor', points: floor },
];
