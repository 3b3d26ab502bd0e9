import { formatDate } from '../../../../domain/text/timeFormat';

/** Short names that distinguish runs: with the day if two share a name. */
export function shortNames(
  runs: ReadonlyArray<{ readonly name: string; readonly startedMs: number }>,
): readonly string[] {
  return runs.map(({ name, startedMs }, i) => {
    const others = runs.filter((_, k) => k !== i);
    if (!others.some((other) => other.name === name || other.name.startsWith(`${name},`))) {
      // The part after the common one is the distinction: `Pull 1000, before tuning` beside `Pull 1000`.
      const [head, ...rest] = name.split(', ');
      const shares = others.some((other) => other.name === head || other.name.startsWith(`${head ?? ''}, `));
      return shares && rest.length > 0 ? rest.join(', ') : name;
    }
    const [, day = '', month = ''] = formatDate(startedMs, 'local').split(' ');
    return `${name}, ${day} ${month}`;
  });
}
