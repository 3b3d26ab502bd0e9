import type { Estimate, ResourceEstimate } from '../../domain/estimate/estimate';
import { ceilingText, roundedViewers, sizesText } from '../../domain/estimate/estimateText';
import { estimateRun } from '../../domain/estimate/estimateRun';
import { resourceRow } from '../../domain/estimate/estimateTable';
import type { RunView } from '../../domain/model/run';
import { markup, table, type Markup } from './markup';
import type { RunColumns } from './pageData';

/** The capacity estimate from the run; nothing unless it held several sizes. */
export function estimateSection(view: RunView, columns: RunColumns): Markup | undefined {
  const estimate = estimateRun({
    view,
    values: (node, series) => {
      const { t = [], v = [] } = columns.get(node, series) ?? {};
      return { timeMs: Array.from(t, (each) => each + view.startedMs), value: Array.from(v) };
    },
  });
  if (estimate.resources.length === 0) return undefined;
  const notes = [...new Set(estimate.resources.flatMap((each) => each.notes)), ...estimate.notes];
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
