import { writeFileSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';
import { grafanaDashboard } from '../../domain/grafana/dashboard';
import { reasonOf } from '../../engine/store/failure';
import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import { otherwise, out } from '../options';
import { printDocument, printStatus } from '../print';

export const grafana = command({
  name: 'grafana',
  options: { out: otherwise(out, 'standard output') },
  forms: [form('[--out FILE.json]', 'write a Grafana dashboard for the metrics of run --metrics')],
  examples: ['grafana --out dashboard.json'],
  read: ({ values }) => ({ out: values.out }),
  run: ({ out: path }) => {
    writeDashboard(path);
    return exitCodes.pass;
  },
});

/** To a file or to standard output. */
function writeDashboard(path: string | undefined): void {
  const text = `${JSON.stringify(grafanaDashboard(), null, 2)}\n`;
  if (path === undefined) {
    printDocument(text);
    return;
  }
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new FullhouseError('not-written', `${path} can't be written: ${reasonOf(error)}.`, { cause: error });
  }
  printStatus(`The dashboard is in ${path}; in Grafana: Dashboards, New, Import.`);
}
