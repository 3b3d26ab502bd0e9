import { browserPairs } from '../../domain/browserViewers/browserPairs';
import { watchMs } from '../../domain/browserViewers/browserViewers';
import type { RunView } from '../../domain/model/run';
import { markup, table, type Markup } from './markup';
import { formatCount, formatRounded } from '../../domain/text/numberFormat';

const head = ['Figure', 'Browsers', 'Audience', 'Difference'] as const;

/** The browser viewers beside the audience; undefined for a run in which none has played or failed. Both reports show it. */
export function browserViewersTable({ browserViewers }: RunView):
  | {
      readonly head: readonly string[];
      /** None if all of them have failed. */
      readonly rows: ReadonlyArray<readonly string[]>;
      /** Where the figures are from. */
      readonly about: string;
    }
  | undefined {
  if (!browserViewers) return undefined;
  const { watched, failed, agreementPercent, problem } = browserViewers;
  if (watched === 0 && failed === 0) return undefined;
  const shown = (value: number | undefined, unit = ''): string =>
    value === undefined ? '–' : `${formatRounded(value)}${unit && ` ${unit}`}`;
  const rows = browserPairs(browserViewers).map(({ name, browsers, audience, difference, unit }) => [
    name,
    shown(browsers),
    shown(audience),
    shown(difference, unit),
  ]);
  const count = watched === 1 ? '1 real browser' : `${formatCount(watched)} real browsers`;
  const browsers = watched === 0 ? 'no picture was displayed' : `${count}, ${watchMs / 1000} s each`;
  const failures = failed > 0 ? `, ${formatCount(failed)} failed (${problem ?? 'no reason known'})` : '';
  return {
    head,
    rows: agreementPercent === undefined ? rows : [...rows, ['Agreement', '', '', shown(agreementPercent, '%')]],
    about: `${browsers}${failures}`,
  };
}

export function browserViewersSection(view: RunView): Markup | undefined {
  const shown = browserViewersTable(view);
  if (!shown) return undefined;
  const { rows, about: from } = shown;
  const figures = rows.length > 0 && table(head, rows, { numbers: head.slice(1) });
  return markup`<section><h2>Browser viewers<small>${from}</small></h2>${figures}</section>`;
}
