import { writeFileSync } from 'node:fs';
import { FullhouseError } from '../contract/calls';
import { grafanaDashboard } from '../domain/grafana/dashboard';
import type { GrafanaCommand } from './prometheusArgs';
import { printDocument, printStatus } from './print';
import { reasonOf } from '../engine/store/failure';

/** Writes the dashboard to a file or to standard output. */
export function grafanaCommand({ out }: GrafanaCommand): number {
  const text = `${JSON.stringify(grafanaDashboard(), null, 2)}\n`;
  if (out === undefined) printDocument(text);
  else
    try {
      writeFileSync(out, text);
      printStatus(`The dashboard is in ${out}; in Grafana: Dashboards, New, Import.`);
    } catch (error) {
      throw new FullhouseError('not-written', `${out} can't be written: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  return 0;
}
