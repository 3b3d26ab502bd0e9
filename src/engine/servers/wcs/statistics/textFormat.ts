import { StatisticsBuilder, type WcsStatistics } from './statistics';

const header = /^-+\s*([A-Za-z_]+)/;

/**
 * The text format: `-----Stream Stats-----` starts a section, `key=value` is a parameter in it. A value may contain
 * `=`. Undefined without sections or parameters, so that a web page is not taken for statistics.
 */
export function parseTextFormat(body: string): WcsStatistics | undefined {
  const builder = new StatisticsBuilder();
  let section: string | undefined;
  for (const raw of body.split('\n')) {
    const line = raw.trim();
    const found = header.exec(line);
    if (found?.[1]) {
      section = found[1].toLowerCase();
      continue;
    }
    const equals = line.indexOf('=');
    if (section === undefined || equals < 1) continue;
    builder.add(section, line.slice(0, equals).trim(), line.slice(equals + 1).trim());
  }
  return builder.size > 0 ? builder.build('text') : undefined;
}
