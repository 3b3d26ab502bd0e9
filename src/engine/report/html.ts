import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { areaAlpha, dashes, lineWidths, slotDashes } from '../../domain/charts/drawing/strokes';
import type { Estimate, ResourceEstimate } from '../../domain/estimate/estimate';
import { estimateRun } from '../../domain/estimate/estimateRun';
import { resourceRow } from '../../domain/estimate/estimateTable';
import { ceilingText, roundedViewers, sizesText } from '../../domain/estimate/estimateText';
import type { RunView } from '../../domain/model/run';
import { countsText, groupsOf, resultLabels } from '../../domain/preflight/arrange';
import { formatDuration } from '../../domain/text/timeFormat';
import { makeVisible } from '../../domain/text/visibleText';
import type { RunReader } from '../store';
import { audienceLines } from '../../domain/plan/audiences';
import { utc } from './figures';
import { headline, reasons } from './headline';
import { distributionsSection } from './distributions';
import { spotChecksSection } from './spotChecks';
import { limitSection } from './limitSection';
import { Markup, markup, table } from './markup';
import fontUri from '../../../assets/fonts/Inter.woff2?inline';
import { ChartSummaries } from '../../domain/charts/chartSummary';
import { hasManyLines } from '../../domain/charts/drawing/band';
import { ReadoutReader } from '../../domain/charts/drawing/readouts';
import type { FixedSamples } from '../../domain/charts/drawing/samples';
import { formatCount, formatFigure } from '../../domain/text/numberFormat';
import { drawChart } from './page/draw';
import { pagePalette } from './palette';
import pageStyle from './page/page.css?raw';
import script from './page/page.ts?script';
import type { ReportChart, ReportScene } from './page/scene';
import { audiencesSection } from './audiences';
import { baseline } from './baseline';
import { browserViewersSection } from './browserViewers';
import { outagesSection } from './outages';
import { viewersSection } from './viewersSection';
import { chartsWithoutData, nodeNamed, reportScene, RunColumns } from './pageData';
import {
  configurationSection,
  failures,
  machines,
  meanings,
  nodeLabel,
  phasesAndEvents,
  seriesTable,
  stills,
} from './sections';
import { verdictText } from '../../domain/run/verdictText';

/** Size of the static charts; the script redraws them in their size on the screen. */
const pictureWidth = 440;
const pictureHeight = 210;

/** Width of the figures beside a title, in CSS pixels: two lines, a swatch with its gaps, a letter on average. */
const headWidth = 600;
const valueWidth = 24;
const letterWidth = 6.5;

/** Rows of cells: the product's logo. */
const mark = [3, 4, 5, 6].map((count, row) =>
  Array.from(
    { length: count },
    (_, index) =>
      markup`<rect x="${9 - count * 1.5 + index * 3}" y="${2 + row * 3.5}" width="2.1" height="2.5" rx="0.6" opacity="${0.55 + row * 0.15}"/>`,
  ),
);

function chartFigure(chart: ReportChart, index: number, scene: ReportScene, source: FixedSamples): Markup {
  const lines = chart.isBanded && hasManyLines(chart, source) ? ', mean, band and worst line' : '';
  const svg = drawChart(chart, source, scene, scene, pictureWidth, pictureHeight);
  const readouts = new ReadoutReader();
  const run = { startedMs: 0, fromMs: -Infinity, toMs: Infinity, nowMs: undefined, isPart: false };
  const summary = new ChartSummaries().read(chart, source, run, () => true);
  const all = chart.panels.flatMap((panel, place) =>
    panel.traces
      .filter((trace) => trace.showFigure)
      .map((trace) => {
        const text = formatFigure(readouts.value(source, trace, { kind: 'extreme' }), panel.headStyle);
        const looks = trace.owner.kind === 'node' ? `k${trace.colour} d${trace.dash}` : trace.owner.kind;
        const of =
          place > 0 && panel.label ? panel.label : trace.owner.kind === 'neutral' || trace.showLabel ? trace.label : '';
        const value = markup`<span title="${trace.label}"><i class="swatch ${looks}"></i>${of && markup`<span class="of">${of}</span>`}<span data-panel="${place}" data-trace="${trace.key}">${text}</span></span>`;
        return { value, width: valueWidth + (of.length + text.length) * letterWidth };
      }),
  );
  let left = headWidth;
  const shown = all.filter(({ width }) => (left -= width) >= 0);
  const values = shown.map(({ value }) => value);
  // The rest is in the table of all series.
  if (shown.length < all.length) values.push(markup`<span class="of">+${all.length - shown.length}</span>`);
  return markup`<figure data-chart="${index}"><figcaption><b>${chart.title}</b><small>${chart.subtitle}${lines}</small><span class="values">${values}</span></figcaption><svg class="chart" role="img" aria-label="${summary}" viewBox="0 0 ${pictureWidth} ${pictureHeight}">${new Markup(svg)}</svg></figure>`;
}

/** The charts' heading: colours of the nodes, and meaning of the figures. */
function legend(view: RunView, coarseMs: number): Markup {
  const resolution = coarseMs > 0 ? ` · lowest and highest of each ${formatDuration(coarseMs)}` : '';
  const idle = `run peaks, frame rate minimum · run time${resolution}`;
  const names = [
    ...view.nodes.map(
      (node) => markup`<span>${nodeLabel(node, node.name)} <span class="quiet">${node.role}</span></span>`,
    ),
    ...audienceLines(view.nodes, view.plan).map((line) => markup`<span>${nodeLabel(line, line.name)}</span>`),
  ];
  return markup`<h2>Charts<small class="scripted-only">drag zooms all, double-click resets</small><span class="legend">${names}</span><small class="right" id="moment" data-idle="${idle}">${idle}</small></h2>`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The run as one HTML page that loads nothing from the network and is readable without its script. */
export function reportHtml(reader: RunReader): string {
  const view = reader.view();
  const events = reader.events();
  const columns = new RunColumns(reader, view.startedMs);
  // Charts are drawn here and by the page's script, and neither uses `markup`.
  const scene = makeVisible(reportScene(view, events, columns)) as ReportScene;
  const withoutData = chartsWithoutData(view, columns);
  const source = columns.source(scene.stepMs);
  const summaries = reader.summaries();
  const place = new Map(scene.series.map(({ node, series }, i) => [`${node}\n${series}`, i]));
  const style = `@font-face{font-family:Inter;font-weight:100 900;src:url("${fontUri}") format("woff2")}\n${pagePalette}\n${pageStyle}\n${strokeStyle}`;
  const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; img-src data:; font-src data:; base-uri 'none'; form-action 'none'`;
  // "<" within a script element could end it.
  const data = JSON.stringify(scene).replaceAll('<', '\\u003c');
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Fullhouse ${reader.engine().version}">
<title>${view.name} · ${verdictText(view.verdict?.verdict).toUpperCase()}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header><svg width="18" height="16" viewBox="0 0 18 16" aria-hidden="true">${mark}</svg><span class="product">Fullhouse</span><h1>${view.name}</h1><span class="quiet">${utc(view.startedMs)} UTC</span><span class="quiet right mono">${view.id}</span></header>
${headline(view, summaries)}
${reasons(view)}
${legend(view, columns.coarseMs)}
<section class="charts">${scene.charts.map((chart, i) => chartFigure(chart, i, scene, source))}</section>
${withoutData.length > 0 && markup`<p class="quiet lacking">Without data in this run: ${withoutData.join(', ')}.</p>`}
${limitSection(view)}
${audiencesSection(view, summaries)}
${outagesSection(view)}
${browserViewersSection(view)}
${distributionsSection(view)}
${spotChecksSection(view, events)}
${estimateSection(view, columns)}
${failures(view)}
${viewersSection(view, reader)}
${stills(view, reader)}
${preflight(view)}
${baseline(view)}
${phasesAndEvents(view, events)}
${configurationSection(view)}
${machines(view)}
<div class="reference">${seriesTable(view, summaries, ({ node, series }) => place.get(`${node}\n${series}`) ?? -1)}
${meanings(summaries)}</div>
<p class="quiet print-only">All ${formatCount(summaries.length)} series with their meaning are in the HTML report, every sample in the CSV and the run file.</p>
<footer>Written by Fullhouse ${reader.engine().version}. All times in this report are run time, or UTC where marked.</footer>
<script type="application/json" id="data">${new Markup(data)}</script>
<script type="module">${new Markup(script)}</script>
</body>
</html>
`.html;
}

/** Writes the run as one HTML page. Throws the file system's error. */
export function writeHtml(reader: RunReader, path: string): void {
  writeFileSync(path, reportHtml(reader));
}

/** The capacity estimate from the run; nothing unless it held several sizes. */
function estimateSection(view: RunView, columns: RunColumns): Markup | undefined {
  const estimate = estimateRun({
    view,
    values: (node, series) => {
      const { t = [], v = [] } = columns.get(node, series) ?? {};
      return { timeMs: Array.from(t, (each) => each + view.startedMs), value: Array.from(v) };
    },
  });
  if (estimate.resources.length === 0) return undefined;
  const notes = [...new Set(estimate.resources.flatMap((resource) => resource.notes)), ...estimate.notes];
  return markup`<section><h2>Estimate<small>from ${sizesText(estimate)}; ≈ is extrapolated, everything else measured</small></h2><p>${estimate.sentence}</p>${resources(estimate)}${notes.map((note) => markup`<p class="quiet">${note}</p>`)}</section>`;
}

function resources({ resources }: Estimate): Markup {
  const rows = resources.map((resource) => {
    const { title, perViewer, idle, threshold, mark } = resourceRow(resource);
    return [
      title,
      resource.isRising ? `${perViewer.figure} ${perViewer.unit}` : 'no growth measured',
      `≈ ${idle.figure} ${idle.unit}`,
      resource.line.explained.toFixed(2),
      threshold,
      reached(resource),
      mark === 'measured' || !resource.ceiling ? mark : `extrapolated ${mark}`,
    ];
  });
  const head = ['Resource', 'Per viewer', 'At 0 viewers', 'R²', 'Threshold', 'Reached at (95 %)', ''];
  return table(head, rows, { numbers: ['Per viewer', 'At 0 viewers', 'R²'], wide: '' });
}

function reached({ ceiling, notBefore }: ResourceEstimate): string {
  if (ceiling) return ceilingText(ceiling);
  return notBefore === undefined ? '–' : `not before ≈ ${roundedViewers(notBefore)} viewers`;
}

/** The findings before the load, failures first, each with its fix. */
function preflight(view: RunView): Markup | undefined {
  const report = view.preflight;
  if (!report) return undefined;
  const rows = groupsOf(report.findings).flatMap(({ node, rows: own }) =>
    own.map(({ finding, also }) => [
      nodeLabel(nodeNamed(view.nodes, node), node),
      resultLabels[finding.result],
      also.length > 0 ? `${also.length + 1} rules` : finding.title,
      markup`${finding.sentence}${finding.fix !== undefined && finding.result !== 'pass' && markup`<pre>${finding.fix}</pre>`}`,
    ]),
  );
  return markup`<section><h2>Preflight<small>${countsText(report.findings)}, checked ${utc(report.timeMs)} UTC</small></h2>${table(['Node', 'Result', 'What', 'Finding'], rows)}</section>`;
}

const dashed = (dash: readonly number[]): string => `stroke-linecap:butt;stroke-dasharray:${dash.join(' ')}`;

/** The lines of a report's charts: the window's own widths and dashes, for the classes that `page/draw.ts` writes. */
const strokeStyle = [
  `.line{stroke-width:${lineWidths.plain}}`,
  `.line.main{stroke-width:${lineWidths.first}}`,
  `.line.noisy{stroke-width:${lineWidths.noisy}}`,
  `.line.asked{stroke-width:${lineWidths.asked};${dashed(dashes.asked)}}`,
  ...slotDashes.flatMap((dash, place) => (dash.length > 0 ? [`.d${place}{${dashed(dash)}}`] : [])),
  `.ground{opacity:${areaAlpha.stack}}`,
  `.ground.area{opacity:${areaAlpha.area}}`,
  `.ground.band{opacity:${areaAlpha.band}}`,
  `.ring{stroke-width:${lineWidths.ring}}`,
  `path.limit{stroke-dasharray:${dashes.limit.join(' ')}}`,
  `path.fact{stroke-dasharray:${dashes.fact.join(' ')}}`,
  `.fall{stroke-dasharray:${dashes.mark.join(' ')}}`,
]
  .map((rule) => `.chart ${rule}`)
  .join('\n');
