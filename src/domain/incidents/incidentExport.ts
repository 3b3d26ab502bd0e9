import { csvCell } from '../text/escape/csv';
import { payloadOf, type AlertPayload } from './alertActions';
import type { Incident } from './incident';

/** Lists of incidents for other programs: each as a webhook receives it. */

const columns: readonly (keyof AlertPayload)[] = [
  ...(['incident', 'rule', 'kind', 'severity', 'state', 'node', 'subject', 'startedAt', 'endedAt'] as const),
  ...(['lengthMs', 'times', 'sentence'] as const),
];

export function incidentsCsv(incidents: readonly Incident[], nowMs: number): string {
  const rows = incidents.map((each) => {
    const payload = payloadOf(each, nowMs);
    return columns.map((column) => {
      const value = payload[column];
      return csvCell(typeof value === 'object' ? (value?.join(' ') ?? '') : value);
    });
  });
  return [columns, ...rows].map((cells) => `${cells.join(',')}\n`).join('');
}

/** One incident a line: indented, each name of a stream would have a line of its own. */
export const incidentsJson = (incidents: readonly Incident[], nowMs: number): string =>
  incidents.length === 0
    ? '[]\n'
    : `[\n${incidents.map((each) => JSON.stringify(payloadOf(each, nowMs))).join(',\n')}\n]\n`;
