import { formatFigure } from '../numberFormat';
import type { Estimate, ResourceEstimate } from './estimate';
import { amountText, ceilingText, perViewerText, roughViewers, withError } from './estimateText';
import { resourceKind } from './resources';

/** A resource in cells for people: in a terminal, on the screen, in the report. */
export interface ResourceRow {
  readonly title: string;
  readonly perViewer: string;
  readonly idle: string;
  readonly explained: string;
  readonly threshold: string;
  readonly ceiling: string;
  readonly mark: string;
}

const none = '–';

export function resourceRow(resource: ResourceEstimate): ResourceRow {
  const { id, idle, line, threshold, ceiling, notBefore, isRising } = resource;
  const { factor, unit } = resourceKind(id);
  return {
    title: resourceKind(id).title,
    perViewer: isRising ? perViewerText(resource) : `not beyond chance (${perViewerText(resource)})`,
    idle: `≈ ${withError(idle, factor)}${unit && ` ${unit}`}`,
    explained: `R² ${line.explained.toFixed(2)}, scatter ${amountText(id, line.scatter)}`,
    threshold: threshold?.text ?? none,
    ceiling: ceiling
      ? ceilingText(ceiling)
      : notBefore !== undefined
        ? `not before ≈ ${roughViewers(notBefore)} viewers`
        : none,
    mark: ceiling
      ? ceiling.mark === 'measured'
        ? 'measured'
        : `extrapolated x ${formatFigure(ceiling.times, ceiling.times < 10 ? 'tenths' : 'integer')}`
      : none,
  };
}

/** The estimate as lines of a terminal. */
export function estimateLines(estimate: Estimate): string[] {
  const { sentence, sizes, resources, unknown, notes, origin } = estimate;
  if (resources.length === 0) return [sentence, ...notes.map((note) => `  ${note}`)];
  const head: ResourceRow = {
    title: 'resource',
    perViewer: 'per viewer (measured)',
    idle: 'with nobody',
    explained: 'fit',
    threshold: 'threshold',
    ceiling: 'ceiling (95 %)',
    mark: '',
  };
  const rows = [head, ...resources.map(resourceRow)];
  const keys = Object.keys(head) as Array<keyof ResourceRow>;
  const widths = keys.map((key) => Math.max(...rows.map((row) => row[key].length)));
  const seen = sizes.map(({ viewers, seconds }) => `${formatFigure(viewers, 'integer')} (${seconds} s)`);
  return [
    sentence,
    `${origin}, sizes seen: ${seen.join(', ')}`,
    '',
    ...rows.map((row) =>
      keys
        .map((key, i) => row[key].padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    ...unknown.map((each) => `? ${each.sentence}`),
    '',
    ...[...new Set(resources.flatMap((each) => each.notes)), ...notes].map((note) => `  ${note}`),
  ];
}
