const maxGrowthPercent = 10;
/** The first minute is warm-up of buffers, and a run that is not much longer shows nothing else. */
const warmUpMinutes = 1;
const minMinutes = 5;
/** Descriptors that the runtime opens on first use. */
const moreFiles = 4;
const maxDegradedPercent = 1;

/**
 * Leftovers of an audience after churn.
 * @param {{ start: object, rows: object[], end: object }} seen readings of both sides, see `churn.mjs`
 * @returns {{ what: string, figure: string, wanted: string, isGood: boolean }[]}
 */
export function verdictOf({ start, rows, end, replaced, perJob }) {
  const minutes = rows.at(-1).minute;
  const isLong = minutes >= minMinutes;
  const warm = isLong ? rows.filter(({ minute }) => minute >= warmUpMinutes) : rows;
  const third = Math.max(1, Math.floor(warm.length / 3));
  const mean = (some, side) => some.reduce((total, row) => total + row[side].rssMb, 0) / some.length;
  const memory = ['agent', 'lab'].map((side) => {
    const [first, last] = [mean(warm.slice(0, third), side), mean(warm.slice(-third), side)];
    return {
      what: `memory of the ${side}, first and last third`,
      figure: `${first.toFixed(1)} and ${last.toFixed(1)} MB`,
      wanted: isLong ? `max ${maxGrowthPercent} % more` : `judged from ${minMinutes} minutes on`,
      isGood: !isLong || last <= first * (1 + maxGrowthPercent / 100),
    };
  });
  const files = ['agent', 'lab'].map((side) => ({
    what: `open files of the ${side}, before and after`,
    figure: `${start[side].openFiles} and ${end[side].openFiles}`,
    wanted: `max ${moreFiles} more`,
    isGood: end[side].openFiles <= start[side].openFiles + moreFiles,
  }));
  const share = Math.max(...rows.map(({ degraded, present }) => (present > 0 ? (degraded / present) * 100 : 0)));
  const failed = Math.max(...rows.map((row) => row.failed));
  return [
    ...memory,
    ...files,
    {
      what: 'sessions left at the lab',
      figure: String(end.sessions),
      wanted: '0',
      isGood: end.sessions === 0,
    },
    {
      what: 'viewers left in the audience',
      figure: String(end.present),
      wanted: '0',
      isGood: end.present === 0,
    },
    {
      what: `peak degraded, ${replaced * perJob} viewers replaced`,
      figure: `${share.toFixed(2)} %`,
      wanted: `max ${maxDegradedPercent} %`,
      isGood: share <= maxDegradedPercent,
    },
    { what: 'peak failed', figure: String(failed), wanted: '0', isGood: failed === 0 },
  ];
}
