import { z } from 'zod';
import { StatisticsBuilder, type WcsStatistics } from './statistics';
import { parseForeignJson } from '../../../../domain/budget/foreignJson';

const groups = z.record(z.string(), z.unknown());

/**
 * The JSON format: `{ group: { parameter: value } }`. Undefined when it is not a JSON object; groups that are not
 * objects are taken as parameters.
 */
export function parseJsonFormat(body: string): WcsStatistics | undefined {
  let raw: unknown;
  try {
    raw = parseForeignJson(body);
  } catch {
    return undefined;
  }
  const parsed = groups.safeParse(raw);
  if (!parsed.success) return undefined;
  const builder = new StatisticsBuilder();
  for (const [group, value] of Object.entries(parsed.data)) {
    const parameters = groups.safeParse(value);
    if (!parameters.success) builder.add('', group, value);
    else for (const [name, inner] of Object.entries(parameters.data)) builder.add(group, name, inner);
  }
  return builder.build('json');
}
