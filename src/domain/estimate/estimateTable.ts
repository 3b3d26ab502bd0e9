import type { Estimate, ResourceEstimate } from './estimate';
import { spreadOf } from './line';
import { amountText, ceilingText, roundedViewers, sizesText, timesText, withError } from './estimateText';
import { resourceKind } from './resources';

/** A figure and the unit that follows it. */
export interface Cell {
  readonly figure: string;
  readonly unit: string;
}

/** A resource as table cells: in a terminal, on the screen, in the report. */
export interface ResourceRow {
  readonly title: string;
  /** Measured. */
  readonly perViewer: Cell;
  /** Extrapolated. */
  readonly idle: Cell;
  readonly threshold: string;
  /** `measured`, or `× 17`; a dash without a ceiling. */
  readonly mark: string;
}

const none = '–';

export function resourceRow({ id, perViewer, idle, threshold, ceiling }: ResourceEstimate): ResourceRow {
  const { title, factor, unit } = resourceKind(id);
  return {
    title,
    perViewer: { figure: withError(perViewer, factor), unit },
    idle: { figure: withError(idle, factor), unit },
    threshold: threshold?.text ?? none,
    mark: ceiling ? timesText(ceiling) : none,
  };
}

/** The estimate as lines of a terminal. */
export function estimateLines(estimate: Estimate): string[] {
  const { sentence, resources, unknown, notes, origin } = estimate;
  if (resources.length === 0) return [sentence, ...notes.map((note) => `  ${note}`)];
  const head = ['resource', 'per viewer, measured', 'at 0 viewers', 'fit', 'threshold', 'reached at, 95 %', ''];
  const rows = [head, ...resources.map(lineOf)];
  const widths = head.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return [
    sentence,
    `${origin}, sizes: ${sizesText(estimate)}`,
    '',
    ...rows.map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    ...unknown.map((resource) => `? ${resource.sentence}`),
    '',
    ...[...new Set(resources.flatMap((resource) => resource.notes)), ...notes].map((note) => `  ${note}`),
  ];
}

function lineOf(resource: ResourceEstimate): string[] {
  const { id, line, points, ceiling, notBefore, isRising } = resource;
  const row = resourceRow(resource);
  const text = ({ figure, unit }: Cell): string => `${figure}${unit && ` ${unit}`}`;
  return [
    row.title,
    isRising ? text(row.perViewer) : `no significant growth (${text(row.perViewer)})`,
    `≈ ${text(row.idle)}`,
    `R² ${line.explained.toFixed(2)}, scatter ${amountText(id, spreadOf(points, line))}`,
    row.threshold,
    ceiling
      ? ceilingText(ceiling)
      : notBefore === undefined
        ? none
        : `not before ≈ ${roundedViewers(notBefore)} viewers`,
    row.mark,
  ];
}
