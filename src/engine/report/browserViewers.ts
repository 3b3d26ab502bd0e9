import { browserPairs } from '../../domain/browserViewers/browserPairs';
import { watchMs } from '../../domain/browserViewers/browserViewers';
import type { RunView } from '../../domain/model/run';
import { about, whole } from './figures';
import { markup, table, type Markup } from './markup';

const head = ['Figure', 'Browsers', 'Audience', 'Difference'] as const;

/** The browser viewers beside the audience; no rows for a run without any. Both reports show it. */
export function browserViewersTable({ browserViewers }: RunView): {
  readonly head: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** Where the figures are from. */
  readonly about: string;
} {
  if (!browserViewers) return { head, rows: [], about: '' };
  const { watched, failed, agreementPercent, problem } = browserViewers;
  const shown = (value: number | undefined, unit = ''): string =>
    value === undefined ? '–' : `${about(value)}${unit && ` ${unit}`}`;
  const rows = browserPairs(browserViewers).map(({ name, browsers, audience, difference, unit }) => [
    name,
    shown(browsers),
    shown(audience),
    shown(difference, unit),
  ]);
  const failures = failed > 0 ? `, ${whole(failed)} failed (${problem ?? 'no reason known'})` : '';
  return {
    head,
    rows: [...rows, ['Agreement', '', '', shown(agreementPercent, '%')]],
    about: `${whole(watched)} real browsers, ${watchMs / 1000} s each${failures}`,
  };
}

export function browserViewersSection(view: RunView): Markup | undefined {
  const { rows, about: from } = browserViewersTable(view);
  if (rows.length === 0) return undefined;
  return markup`<section><h2>Browser viewers<small>${from}</small></h2>${table(head, rows, { numbers: head.slice(1) })}</section>`;
}
