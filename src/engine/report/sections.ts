import { degradedText } from '../../domain/viewer/degraded';
import { cpuText, memoryText } from '../../domain/node/machineText';
import { planFileName, planToCommandLine, planToYaml } from '../../domain/plan/planYaml';
import { causeText, stageNames } from '../../domain/failure/causes';
import { clipMime, type FailureGroup, failureStages, type RunEvent, type RunView } from '../../domain/model/run';
import { seriesDefinition } from '../../domain/series/series';
import { audienceLines } from '../../domain/plan/audiences';
import type { LineSubject } from '../../domain/charts/chartTraces';
import { figureColumns, figureTitle, seriesRows } from '../../domain/charts/seriesTable';
import { formatDuration } from '../../domain/text/timeFormat';
import type { RunReader, SeriesSummary } from '../store';
import { runTime, utc } from './figures';
import { markup, table, type Markup } from './markup';
import { nodeNamed, slotStyle } from './pageData';
import { formatCount, formatRounded } from '../../domain/text/numberFormat';
import { seriesText } from '../../domain/series/seriesText';

/** A node's colour and name. */
export function nodeLabel(node: LineSubject | undefined, name: string): Markup {
  if (!node) return markup`${name}`;
  const { colour, dash } = slotStyle(node.colourSlot);
  return markup`<span class="swatch k${colour} d${dash}"></span>${node.name}`;
}

/** Failed viewers by stage, in the order of the stages. */
export function failures(view: RunView): Markup | undefined {
  if (view.failures.length === 0) return undefined;
  const sorted = [...view.failures].sort(
    (a, b) => failureStages.indexOf(a.stage) - failureStages.indexOf(b.stage) || b.count - a.count,
  );
  const rows = sorted.map((group) => [
    stageNames[group.stage],
    causeOf(group),
    formatCount(group.count),
    nodeLabel(nodeNamed(view.nodes, group.tester), group.tester),
    exampleOf(view, group),
  ]);
  return markup`<section><h2>Failures<small>${formatCount(view.figures.failed)} viewers, grouped by cause</small></h2>${table(['Stage', 'Cause', 'Viewers', 'Tester', 'For example'], rows, { numbers: ['Viewers'] })}</section>`;
}

/** What happened and what to do, with the name by which exports have the cause. */
function causeOf(group: FailureGroup): Markup {
  const text = causeText(group);
  if (!text) return markup`${group.cause}`;
  return markup`${text.title}. <span class="quiet">${text.advice} (${group.cause})</span>`;
}

function exampleOf(view: RunView, { audience, example }: FailureGroup): string {
  const who = `Viewer ${example.viewer}${audience === undefined ? '' : ` of ${audience}`}`;
  return `${who} at ${runTime(view, example.timeMs)}: ${example.detail}`;
}

export function stills(view: RunView, reader: RunReader): Markup | undefined {
  const kept = reader.stills();
  if (kept.length === 0) return undefined;
  const pictures = kept.filter(({ mime }) => mime !== clipMime);
  const figures = pictures.map((still) => {
    const { mime, data } = reader.stillData(still.id);
    const uri = `data:${mime};base64,${Buffer.from(data).toString('base64')}`;
    const time = runTime(view, still.timeMs);
    return markup`<figure><img src="${uri}" alt="Picture of the control player at ${time}"><figcaption><span class="quiet">${time}</span>${still.cause}</figcaption></figure>`;
  });
  // A report with video would be too large to send.
  const clips = kept
    .filter(({ mime }) => mime === clipMime)
    .map(({ timeMs, cause, bytes }) => [
      markup`<span class="time">${runTime(view, timeMs)}</span>`,
      cause,
      `${(bytes / 1e6).toFixed(1)} MB`,
    ]);
  const title = markup`<h2>Stills and clips<small>of the control player</small></h2>`;
  const list = markup`<p class="quiet">Clips in the run file:</p>${table(['Time', 'Clip', 'Size'], clips, { numbers: ['Size'], wide: 'Clip' })}`;
  return markup`<section>${title}${figures.length > 0 && markup`<div class="stills">${figures}</div>`}${clips.length > 0 && list}</section>`;
}

export function phasesAndEvents(view: RunView, events: readonly RunEvent[]): Markup {
  const phases = view.phases.map(({ name, startMs, endMs }) => [
    name,
    runTime(view, startMs),
    utc(startMs),
    endMs === undefined ? '–' : formatDuration(endMs - startMs),
  ]);
  const rows = events.map((event) => [
    markup`<span class="time">${runTime(view, event.timeMs)}</span>`,
    markup`<span class="quiet">${utc(event.timeMs).slice(11)}</span>`,
    nodeLabel(nodeNamed(view.nodes, event.node), event.who),
    event.sentence,
    markup`<span class="quiet">${event.outcome}</span>`,
  ]);
  return markup`<section><h2>Phases</h2>${table(['Phase', 'Run time', 'UTC', 'Length'], phases, { numbers: ['Run time', 'UTC', 'Length'] })}</section>
<section><h2>Events<small>${formatCount(events.length)}</small></h2>${table(['Run time', 'UTC', 'Who', 'What', ''], rows, { wide: 'What' })}</section>`;
}

/** The plan, ready to be run again. */
export function configurationSection(view: RunView): Markup {
  const file = planFileName(view.plan);
  return markup`<section><h2>Plan<small>save it as ${file} and run it again</small></h2><pre>${planToYaml(view.plan)}</pre><pre>${planToCommandLine(view.plan)}</pre></section>`;
}

export function machines(view: RunView): Markup {
  const rows = view.nodes.map((node) => {
    const { machine } = node;
    const versions = Object.entries(machine?.versions ?? {}).map(([name, version]) => `${name} ${version}`);
    return [
      markup`${nodeLabel(node, node.name)}<br><span class="quiet">${node.role}</span>`,
      markup`${node.software ?? '–'}<br><span class="quiet">${node.reach}</span>`,
      machine ? cpuText(machine) : '–',
      machine ? memoryText(machine) : '–',
      machine ? markup`${machine.system}<br><span class="quiet">${machine.kernel}</span>` : '–',
      machine?.openFilesLimit === undefined ? '–' : formatCount(machine.openFilesLimit),
      versions.join(', ') || '–',
    ];
  });
  const streams = view.nodes.flatMap((node) =>
    node.streams.map((stream) => [
      stream.stream,
      nodeLabel(node, node.name),
      stream.source,
      [stream.videoCodec, stream.audioCodec].filter((codec) => codec).join(' + ') || '–',
      stream.width === undefined ? '–' : `${stream.width} × ${stream.height ?? '–'}`,
      `${formatRounded(stream.fps)} fps`,
      formatCount(stream.packetsPerSecond),
      `${formatRounded(stream.bitrateKbps)} kbit/s`,
    ]),
  );
  const served =
    streams.length > 0 &&
    markup`<h2>Streams</h2>${table(['Stream', 'Origin', 'Source', 'Codecs', 'Size', 'Frame rate', 'Packets/s', 'Bitrate'], streams, { numbers: ['Size', 'Frame rate', 'Packets/s', 'Bitrate'] })}`;
  return markup`<section><h2>Nodes and machines</h2>${table(['Node', 'Software', 'CPU', 'Memory', 'System', 'Open files', 'Versions'], rows, { numbers: ['Memory', 'Open files'] })}${served}</section>`;
}

/** Every series with its figures; a row draws its series. `order` is the index of a series within the page. */
export function seriesTable(
  view: RunView,
  summaries: readonly SeriesSummary[],
  order: (summary: SeriesSummary) => number,
): Markup {
  const hasEnded = view.endedMs !== undefined;
  const titles = figureColumns.map((column) => figureTitle(column, hasEnded));
  const head = ['Node', 'Series', 'Samples', ...titles, 'at'];
  const rows = seriesRows(view.nodes, summaries, audienceLines(view.nodes, view.plan)).map((row) => {
    const { of: node, nodeName, title } = row;
    const { colour, dash } = slotStyle(node?.colourSlot ?? 1);
    const figures = figureColumns.map(({ id }) => markup`<td class="number">${seriesText(row.series, row[id])}</td>`);
    return markup`<tr data-series="${order(row)}" data-colour="${colour}" data-dash="${dash}" data-title="${nodeName}: ${title}"><td class="tight">${nodeLabel(node, nodeName)}</td><td><button>${title}</button> <span class="quiet mono">${row.series}</span></td><td class="number">${formatCount(row.count)}</td>${figures}<td class="number quiet">${runTime(view, row.maxMs)}</td></tr>`;
  });
  const cells = head.map((title, i) => markup`<th class="${i > 1 ? 'number' : ''}">${title}</th>`);
  return markup`<section><h2>All series<small class="scripted-only">choose one to draw it</small></h2>
<figure id="any-series" data-any hidden><figcaption><b></b><span class="values"><span data-panel="0" data-trace="any"></span></span></figcaption><svg class="chart" role="img"></svg></figure>
<div class="scroll"><table><thead><tr>${cells}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** The meaning of the figures, for later readers. */
export function meanings(summaries: readonly SeriesSummary[]): Markup {
  const measured = [...new Set(summaries.map((summary) => summary.series))];
  const rows = measured.map((id) => {
    const definition = seriesDefinition(id);
    return [definition?.title ?? id, definition?.unit || '–', definition?.source ?? '', definition?.meaning ?? ''];
  });
  return markup`<section><h2>How it is measured</h2><p>A viewer is connected when its first media packet has arrived. It is degraded when, ${degradedText}. Without a measurement there is no sample: a gap is never drawn as 0.</p>${table(['Series', 'Unit', 'Measured by', 'Meaning'], rows)}</section>`;
}
