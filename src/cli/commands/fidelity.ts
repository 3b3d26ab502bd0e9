import { existsSync, writeFileSync } from 'node:fs';
import { findChromium, noChromium } from '../../engine/base/chromium';
import { systemClock } from '../../engine/base/clock';
import { reportedConditions } from '../../engine/fidelity/conditions';
import { fidelityMarkdown } from '../../engine/fidelity/markdown';
import { measureViewers } from '../../engine/fidelity/measure';
import { readRecordedBrowser } from '../../engine/fidelity/recorded';
import { fidelityReport, reportedFidelities, type MeasuredCondition } from '../../engine/fidelity/report';
import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import type { Installation } from '../installation';
import { file, json, otherwise, out, seconds, withDefault } from '../options';
import { numberOf } from '../optionValues';
import { printDocument, printJson, printStatus } from '../print';
import { onStopSignal } from '../stopSignals';

const usualSeconds = '12';

export const fidelity = command({
  name: 'fidelity',
  options: {
    chromium: otherwise(file('program of the browser', 'PATH'), 'the first one found'),
    seconds: withDefault(seconds, usualSeconds),
    out: otherwise(out, 'standard output'),
    json,
  },
  forms: [
    form(
      `[--chromium PATH] [--seconds ${usualSeconds}] [--json] [--out FILE.md|FILE.json]`,
      'compare what a server receives from viewers and from Chromium, on this machine',
    ),
  ],
  examples: ['fidelity --seconds 20 --out fidelity.md'],
  exitCodes: { stopped: 'stopped by Ctrl-C or another signal' },
  read: ({ values }) => ({
    chromium: values.chromium,
    // Estimates of the bandwidth start after 5.5 s.
    playS: numberOf('--seconds', values.seconds, 7, 120),
    out: values.out,
    json: values.json,
  }),
  run: compareWithBrowser,
});

interface FidelityInput {
  /** The browser's program; undefined: the first one found. */
  readonly chromium: string | undefined;
  /** How long each viewer plays. */
  readonly playS: number;
  /** Undefined: standard output. One that ends in .json gets JSON. */
  readonly out: string | undefined;
  readonly json: boolean;
}

/** Compares viewers with a browser and prints the report. */
async function compareWithBrowser(input: FidelityInput, installation: Installation): Promise<number> {
  const { playS, out: path } = input;
  const chromium = input.chromium ?? findChromium();
  if (input.chromium !== undefined && !existsSync(input.chromium))
    throw new Error(
      `--chromium: there is no program ${input.chromium}. Without this option, the first Chromium found is used.`,
    );
  if (chromium === undefined)
    printStatus(
      `${noChromium} Or name its program by --chromium. Until then viewers are compared with recorded figures.`,
    );
  printStatus(`Viewers and ${chromium ?? 'no browser'} play the lab's sample for ${playS} s.`);
  const stop = new AbortController();
  const forget = onStopSignal(() => stop.abort());
  try {
    const measured = await measureViewers({
      ...installation,
      conditions: reportedConditions,
      fidelities: reportedFidelities,
      chromium,
      playMs: playS * 1000,
      clock: systemClock,
      signal: stop.signal,
    });
    if (stop.signal.aborted) return exitCodes.stopped;
    const recorded = chromium === undefined ? readRecordedBrowser(installation.recordedBrowser) : undefined;
    const conditions = Object.entries(reportedConditions).map(([id, condition]): MeasuredCondition => {
      const viewers = measured.conditions[id];
      const [browser, mediaOnly] = [viewers?.['browser'], viewers?.['media-only']];
      const reference = recorded ? recorded.conditions[id] : viewers?.['chromium'];
      if (!browser || !mediaOnly || !reference) throw new Error(`A viewer was not recorded under ${condition.title}.`);
      return { ...condition, browser: reference, viewers: { browser, 'media-only': mediaOnly } };
    });
    const report = fidelityReport(
      {
        browser: recorded?.browser ?? measured.browser ?? 'Chromium',
        recordedOn: recorded?.recordedOn,
        seconds: playS,
      },
      conditions,
    );
    const result = { ...report, measured: measured.conditions };
    if (path !== undefined) {
      writeFileSync(path, path.endsWith('.json') ? `${JSON.stringify(result, null, 2)}\n` : fidelityMarkdown(report));
      printStatus(`Report: ${path}`);
    }
    if (input.json) printJson(result);
    else if (path === undefined) printDocument(fidelityMarkdown(report));
    return exitCodes.pass;
  } finally {
    forget();
  }
}
