import type { SeriesId } from '../../../domain/series/series';

/**
 * Figures of SRS's own Prometheus exporter. Its CPU is in percent and its memory in KiB; the API's CPU is a fraction.
 */
export function exporterValues(text: string): Partial<Record<SeriesId, number>> {
  const figure = (name: string): number | undefined => {
    const match = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text);
    const value = Number(match?.[1]);
    return match && Number.isFinite(value) ? value : undefined;
  };
  const put = (series: SeriesId, value: number | undefined): Partial<Record<SeriesId, number>> =>
    value === undefined ? {} : { [series]: value };
  const memoryKib = figure('srs_memory');
  return {
    ...put('processCpuPercent', figure('srs_cpu_percent')),
    ...put('processMemoryBytes', memoryKib === undefined ? undefined : memoryKib * 1024),
    ...put('originConnections', figure('srs_clients')),
    ...put('server:srs_clients_total', figure('srs_clients_total')),
    // Includes RTMP viewers that disconnect normally, so it is not a count of failures.
    ...put('server:srs_clients_errs_total', figure('srs_clients_errs_total')),
  };
}

export function isExporter(text: string): boolean {
  return /^srs_(build_info|clients|cpu_percent)\b/m.test(text);
}
