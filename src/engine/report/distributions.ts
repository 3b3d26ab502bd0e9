import type { RunView } from '../../domain/model/run';
import { distributionHead, distributionRows } from '../../domain/run/distributionRows';
import { markup, table, type Markup } from './markup';

const figureTitle = 'Of single viewers';

/** Percentiles over all viewers and the entire run; undefined in runs of versions that saved none. */
export function distributionsSection({ figures }: RunView): Markup | undefined {
  const rows = distributionRows(figures);
  if (rows.length === 0) return undefined;
  const head = [figureTitle, ...distributionHead];
  const cells = rows.map(({ title, cells: of }) => [title, ...of]);
  return markup`<section><h2>Distributions<small>over all viewers, testers and seconds</small></h2>${table(head, cells, { numbers: [...distributionHead] })}</section>`;
}

/** The distributions as rows of text. */
export function distributionsTable({ figures }: RunView): { readonly head: string[]; readonly rows: string[][] } {
  return {
    head: [figureTitle, ...distributionHead],
    rows: distributionRows(figures).map(({ title, cells }) => [title, ...cells]),
  };
}
