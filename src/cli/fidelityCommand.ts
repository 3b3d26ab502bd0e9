import { existsSync, writeFileSync } from 'node:fs';
import { findChromium, noChromium } from '../engine/base/chromium';
import { systemClock } from '../engine/base/clock';
import { reportedConditions } from '../engine/fidelity/conditions';
import { fidelityMarkdown } from '../engine/fidelity/markdown';
import { measureViewers } from '../engine/fidelity/measure';
import { readRecordedBrowser } from '../engine/fidelity/recorded';
import { fidelityReport, reportedFidelities, type MeasuredCondition } from '../engine/fidelity/report';
import type { FidelityCommand } from './fidelityArgs';
import type { Installation } from './installation';
import { printDocument, printJson, printStatus } from './print';
import { exitCodes } from './exitCodes';
import { onStopSignal } from './stopSignals';

/** Compares viewers with a browser and prints the report. */
export async function fidelityCommand(command: FidelityCommand, installation: Installation): Promise<number> {
  const { seconds, out } = command;
  const chromium = command.chromium ?? findChromium();
  if (command.chromium !== undefined && !existsSync(command.chromium))
    throw new Error(
      `--chromium: there is no program ${command.chromium}. Without this option, the first Chromium found is used.`,
    );
  if (chromium === undefined) printStatus(`${noChromium} Until then viewers are compared with recorded figures.`);
  printStatus(`Viewers and ${chromium ?? 'no browser'} play the lab's sample for ${seconds} s.`);
  const stop = new AbortController();
  const forget = onStopSignal(() => stop.abort());
  try {
    const measured = await measureViewers({
      ...installation,
      conditions: reportedConditions,
      fidelities: reportedFidelities,
      chromium,
      playMs: seconds * 1000,
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
        seconds,
      },
      conditions,
    );
    const json = { ...report, measured: measured.conditions };
    if (out !== undefined) {
      writeFileSync(out, out.endsWith('.json') ? `${JSON.stringify(json, null, 2)}\n` : fidelityMarkdown(report));
      printStatus(`Report: ${out}`);
    }
    if (command.json) printJson(json);
    else if (out === undefined) printDocument(fidelityMarkdown(report));
    return exitCodes.pass;
  } finally {
    forget();
  }
}
