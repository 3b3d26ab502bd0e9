import { writeFileSync } from 'node:fs';
import { FullhouseError } from '../contract/calls';
import { grafanaDashboard } from '../domain/grafana/dashboard';
import type { GrafanaCommand } from './prometheusArgs';

/** Writes the dashboard to a file or to standard output. */
export function grafanaCommand({ out }: GrafanaCommand): number {
  const text = `${JSON.stringify(grafanaDashboard(), null, 2)}\n`;
  if (out === undefined) process.stdout.write(text);
  else
    try {
      writeFileSync(out, text);
      process.stderr.write(`The dashboard is in ${out}; in Grafana: Dashboards, New, Import.\n`);
    } catch (error) {
      throw new FullhouseError('not-written', `${out} can't be written: ${(error as Error).message}.`, {
        cause: error,
      });
    }
  return 0;
}
