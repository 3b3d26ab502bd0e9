const columns = [
  ['limit', ({ ceiling }) => String(ceiling)],
  ['kind', ({ kind }) => kind],
  ['found', ({ viewers, plusMinus, state }) => (viewers === undefined ? state : `${viewers} +- ${plusMinus}`)],
  ['in interval', ({ isInside }) => (isInside ? 'yes' : 'no')],
  ['trials', ({ trials }) => String(trials)],
  ['time', ({ tookMs }) => `${Math.round(tookMs / 1000)} s`],
  ['bottleneck', ({ bottleneck }) => bottleneck ?? '-'],
];
const isWord = new Set(['kind', 'in interval', 'bottleneck']);

/** The result as lines of text. */
export function limitTable({ rows, inside, runs, tookMs, seed }) {
  const cells = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, of]) => of(row)))];
  const widths = columns.map((_, place) => Math.max(...cells.map((row) => row[place].length)));
  const lines = cells.map((row) =>
    row
      .map((text, place) => (isWord.has(columns[place][0]) ? text.padEnd(widths[place]) : text.padStart(widths[place])))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, '', `${inside} of ${runs} in interval, ${Math.round(tookMs / 60_000)} min, seed ${seed}`];
}
