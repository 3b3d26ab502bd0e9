import { UnreadableError, type Facts } from '../reading/facts';
import { parseForeignJson } from '../../../domain/budget/foreignJson';

/** A port count of WCS's statistics, which older versions write as a string. Throws an `UnreadableError` if there is none. */
export function wcsPorts(facts: Facts, name: string): number {
  let answer: unknown;
  try {
    answer = parseForeignJson(facts.api('wcs ports'));
  } catch {
    throw new UnreadableError('The statistics of WCS are not JSON.');
  }
  const group = (answer as { readonly port_stats?: Readonly<Record<string, unknown>> } | null)?.port_stats;
  const value = group?.[name];
  const number = typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) throw new UnreadableError(`The statistics of WCS have no ${name}.`);
  return number;
}
