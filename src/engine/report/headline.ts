import { integrityText } from '../../domain/run/integrityText';
import type { Outages } from '../../domain/model/outages';
import { clientsOf, publisherGroups, publishesOnly } from '../../domain/model/publisherGroup';
import type { RunView } from '../../domain/model/run';
import { reconnectionsText } from '../../domain/run/outagesText';
import { formatDuration } from '../../domain/text/timeFormat';
import { largest } from '../../domain/node/nodeFigures';
import { runDelay } from '../../domain/run/runDelay';
import { endingOf } from '../../domain/run/runEnding';
import { causeOf } from '../../domain/evidence/cause';
import { nodesInRole } from '../../domain/node/observedNodes';
import type { SeriesSummary } from '../store';
import { figuresOfNodes, highest, runTime, utc } from './figures';
import { markup, type Markup } from './markup';
import { formatCount, formatRounded } from '../../domain/text/numberFormat';
import { verdictText } from '../../domain/run/verdictText';

const cellCount = 100;

/** The audience bar: a cell for each percent of the target viewers. A count above 0 takes at least one cell. */
function audienceBar({ figures }: RunView): Markup {
  const { requested, connectedPeak, degradedPeak, failed } = figures;
  const cellsOf = (count: number): number =>
    requested > 0 && count > 0 ? Math.max(1, Math.round((cellCount * count) / requested)) : 0;
  const out = Math.min(cellCount, cellsOf(failed));
  const taken = Math.min(cellCount - out, cellsOf(connectedPeak));
  const bad = Math.min(taken, cellsOf(degradedPeak));
  const kind = (index: number): string => {
    if (index >= cellCount - out) return 'out';
    if (index >= taken) return 'empty';
    return index >= taken - bad ? 'bad' : 'in';
  };
  const cells = Array.from(
    { length: cellCount },
    (_, index) => markup`<rect class="${kind(index)}" x="${index * 4}" width="3" height="12"/>`,
  );
  return markup`<svg class="audience-bar" viewBox="0 0 399 12" preserveAspectRatio="none" aria-hidden="true">${cells}</svg>`;
}

function cell(label: string, figure: Markup, note: string): Markup {
  return markup`<div><span class="label">${label}</span><div class="figure">${figure}</div><span class="quiet">${note}</span></div>`;
}

/** What is notable about the outages of a run. */
function outageNote(outages: Outages): string {
  const longest = outages.count > 0 ? `longest ${formatDuration(outages.longestMs)}` : undefined;
  const notable = [longest, reconnectionsText(outages)].filter((text) => text !== undefined);
  return notable.join(' · ') || 'none';
}

/** Verdict and headline figures. */
export function headline(view: RunView, summaries: readonly SeriesSummary[]): Markup {
  const { figures, verdict } = view;
  const [origins, testers] = (['origin', 'tester'] as const).map((role) =>
    nodesInRole(view, role).map(({ id }) => id),
  ) as [string[], string[]];
  const nodes = figuresOfNodes(view, summaries);
  const cpu = largest(nodes, 'origin', ({ cpuMaxPercent }) => cpuMaxPercent);
  const gc = largest(nodes, 'origin', ({ gcPauseMaxMs }) => gcPauseMaxMs);
  const sent = publishesOnly(view.plan) ? highest(summaries, 'publishMbps', testers) : undefined;
  const mbps = sent ?? highest(summaries, 'originOutMbps', origins) ?? highest(summaries, 'mediaInMbps', testers);
  const isAlone = publishesOnly(view.plan);
  const failedBy = isAlone
    ? (view.published ?? []).flatMap(({ problems = [] }) => problems.map(({ sentence }) => sentence)).join(' ')
    : view.failures.map((group) => `${group.stage} ${formatCount(group.count)}`).join(' · ');
  const name = verdict?.verdict ?? 'running';
  const cpuFailed = verdict?.reasons.some(
    (reason) => reason.expectation === 'cpu' && causeOf(reason, view) === 'origin',
  );
  const { outages } = verdict ?? {};
  const toAll = figures.timeToAllMs;
  const rate = view.plan.pull?.ratePerSecond ?? publisherGroups(view.plan)[0]?.ratePerSecond;
  const data = integrityText(view.integrity);
  const delay = runDelay(figures);
  return markup`<section class="headline">
<div><span class="label">Peak connected ${clientsOf(view.plan)}</span><div class="figure large">${formatCount(figures.connectedPeak)} <small>/ ${formatCount(figures.requested)}</small></div>${audienceBar(view)}</div>
<div><span class="pill ${name}">${verdictText(name).toUpperCase()}</span><p>${verdict?.sentence ?? 'The run had not ended when this report was written.'}</p>${data !== undefined && markup`<p class="warn">${data}</p>`}</div>
${!isAlone && cell('Peak degraded', markup`<span class="${figures.degradedPeak > 0 ? 'warn' : ''}">${formatCount(figures.degradedPeak)}</span> <small>${formatRounded(figures.degradedPercentPeak)} %</small>`, 'at once')}
${cell('Failures', markup`<span class="${figures.failed > 0 ? 'over' : ''}">${formatCount(figures.failed)}</span>`, failedBy || 'none')}
${outages && cell('Outages', markup`<span class="${outages.count > 0 ? 'warn' : ''}">${formatCount(outages.count)}</span>`, outageNote(outages))}
${cell('Ramp-up time', toAll === undefined ? markup`–` : markup`${formatRounded(toAll / 1000)} <small>s</small>`, `target ${formatRounded(rate)} /s`)}
${delay && cell('Delay p50', markup`${formatRounded(delay.figures.p50)} <small>ms</small>`, `p95 ${formatRounded(delay.figures.p95)} ms · p99 ${formatRounded(delay.figures.p99)} ms · by ${delay.method.by}`)}
${cell('Origin peak', markup`<span class="${cpuFailed && 'over'}">${formatRounded(cpu)}</span> <small>% CPU</small>`, `${gc === undefined ? 'no GC pause' : `GC ${formatRounded(gc)} ms`} · ${formatRounded(mbps)} Mbit/s`)}
${cell('Duration', markup`${view.endedMs === undefined ? '–' : runTime(view, view.endedMs)}`, `${endingOf(view)?.text ?? 'not ended'} · ${utc(view.startedMs)} UTC`)}
</section>`;
}

/** The reasons of the verdict; the numbers are marks in the charts. */
export function reasons(view: RunView): Markup | undefined {
  const { verdict } = view;
  const notes = (verdict?.notes ?? []).map(({ sentence }) => markup`<li>${sentence}</li>`);
  if (!verdict || verdict.reasons.length + verdict.headroom.length + notes.length === 0) return undefined;
  const rows = verdict.reasons.map(
    ({ number, sentence, expected, timeMs }) =>
      markup`<li><b>${number}</b><div>${sentence}<div class="quiet">${expected} · ${runTime(view, timeMs)}</div></div></li>`,
  );
  const why =
    rows.length > 0 &&
    markup`<section><h2>Why<small>numbers are marks in the charts</small></h2><ol class="reasons">${rows}</ol></section>`;
  const met = verdict.headroom.map((sentence) => markup`<li>${sentence}</li>`);
  const headroom = met.length > 0 && markup`<section><h2>Headroom</h2><ul class="headroom">${met}</ul></section>`;
  const unjudged =
    notes.length > 0 && markup`<section><h2>Not evaluated</h2><ul class="headroom notes">${notes}</ul></section>`;
  return markup`<div class="columns">${why}<div>${headroom}${unjudged}</div></div>`;
}
