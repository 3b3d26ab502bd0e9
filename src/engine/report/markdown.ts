import { audienceTable } from './audiences';
import { distributionsTable } from './distributions';
import { baselineRows } from './baseline';
import { browserViewersTable } from './browserViewers';
import { writeFileSync } from 'node:fs';
import { integrityText } from '../../domain/run/integrityText';
import { cpuText, memoryText } from '../../domain/node/machineText';
import { audiencesOf } from '../../domain/model/distribution';
import { networkText } from '../../domain/plan/networkText';
import { turnRows } from '../../domain/plan/turnRules';
import { planToYaml } from '../../domain/plan/planYaml';
import { agreementOf, agreementText } from '../../domain/spotCheck/agreement';
import { clientsOf, publishesOnly } from '../../domain/model/publisherGroup';
import type { RunView } from '../../domain/model/run';
import { largest } from '../../domain/node/nodeFigures';
import { runDelay } from '../../domain/run/runDelay';
import { endingOf } from '../../domain/run/runEnding';
import { audienceLines } from '../../domain/plan/audiences';
import { figureColumns, figureTitle, seriesRows } from '../../domain/charts/seriesTable';
import { formatDuration } from '../../domain/text/timeFormat';
import { codeBlock, md, tableOf } from '../../domain/text/escape/markdown';
import { nodesInRole } from '../../domain/node/observedNodes';
import type { RunReader, SeriesSummary } from '../store';
import { outageFigures, outageTable } from './outages';
import { figuresOfNodes, highest, runTime, utc } from './figures';
import { formatCount, formatRounded } from '../../domain/text/numberFormat';
import { seriesText } from '../../domain/series/seriesText';
import { verdictText } from '../../domain/run/verdictText';

/** The main figures of a run, as a table. */
export function figuresTable(view: RunView, summaries: readonly SeriesSummary[]): string {
  const { figures: all } = view;
  const isAlone = publishesOnly(view.plan);
  const ids = (role: 'origin' | 'tester'): string[] => nodesInRole(view, role).map(({ id }) => id);
  const [origins, testers] = [ids('origin'), ids('tester')];
  const unit = (value: number | undefined, of: string): string =>
    value === undefined ? '–' : `${formatRounded(value)} ${of}`;
  const nodes = figuresOfNodes(view, summaries);
  const memory = highest(summaries, 'memoryUsedBytes', origins);
  const rows: Array<[string, string]> = [
    [`Peak connected ${clientsOf(view.plan)}`, `${formatCount(all.connectedPeak)} of ${formatCount(all.requested)}`],
    ...audiencesOf(view.plan).flatMap(({ network, label }): Array<[string, string]> => {
      const text = networkText(network);
      return text === undefined ? [] : [[label === undefined ? 'Network' : `Network of ${md(label)}`, md(text)]];
    }),
    ...turnRows(view.plan).map(({ name, text }): [string, string] => [md(name), md(text)]),
    ['Failed', formatCount(all.failed)],
    ...outageFigures(view).map(([name, text]): [string, string] => [name, text]),
    ...(isAlone
      ? publishedRows(view, highest(summaries, 'publishMbps', testers))
      : ([
          ['Peak degraded', `${formatCount(all.degradedPeak)} (${formatRounded(all.degradedPercentPeak)} %)`],
        ] satisfies Array<[string, string]>)),
    ...delayRows(view),
    ['Ramp-up time', all.timeToAllMs === undefined ? '–' : `${formatRounded(all.timeToAllMs / 1000)} s`],
    ...nodes.map(({ node, cpuMaxPercent }): [string, string] => [
      `Peak host CPU of ${md(node.name)}`,
      unit(cpuMaxPercent, '%'),
    ]),
    ...nodes
      .filter(({ processCpuMaxPercent }) => processCpuMaxPercent !== undefined)
      .map(({ node, processCpuMaxPercent }): [string, string] => [
        `Peak process CPU of ${md(node.name)}`,
        unit(processCpuMaxPercent, '% of a core'),
      ]),
    ['Peak memory of the origin', memory === undefined ? '–' : `${formatRounded(memory / 2 ** 30)} GiB`],
    [
      'Longest GC pause of the origin',
      unit(
        largest(nodes, 'origin', ({ gcPauseMaxMs }) => gcPauseMaxMs),
        'ms',
      ),
    ],
    ...(isAlone
      ? []
      : ([
          [
            'Peak media output of the origin',
            unit(highest(summaries, 'originOutMbps', origins) ?? highest(summaries, 'mediaInMbps', testers), 'Mbit/s'),
          ],
        ] satisfies Array<[string, string]>)),
    ['Duration', view.endedMs === undefined ? '–' : formatDuration(view.endedMs - view.startedMs)],
    ['Ended', md(endingOf(view)?.sentence ?? '–')],
  ];
  return tableOf(['Figure', 'Value'], rows);
}

/** The delay by the best method that measured it. */
function delayRows({ figures }: RunView): Array<[string, string]> {
  const delay = runDelay(figures);
  if (!delay) return [];
  const { p50, p95, p99, max } = delay.figures;
  const text = `p50 ${formatRounded(p50)} ms, p95 ${formatRounded(p95)} ms, p99 ${formatRounded(p99)} ms, max ${formatRounded(max)} ms`;
  return [[`Delay by ${delay.method.by}`, text]];
}

/** What publishers alone sent, and why some of them failed. */
function publishedRows({ published = [] }: RunView, sentMbps: number | undefined): Array<[string, string]> {
  const problems = published.flatMap(({ problems = [] }) => problems);
  return [
    ['Peak sent', sentMbps === undefined ? '–' : `${formatRounded(sentMbps)} Mbit/s`],
    ...problems.map(({ sentence, count }): [string, string] => [
      `Failed, ${formatCount(count)} publishers`,
      md(sentence),
    ]),
  ];
}

function machines(view: RunView): string {
  return tableOf(
    ['Node', 'Software', 'CPU', 'Memory', 'System'],
    view.nodes.map(({ name, role, software, machine }) => [
      `${md(name)} (${role})`,
      md(software ?? '–'),
      machine ? md(cpuText(machine)) : '–',
      machine ? memoryText(machine) : '–',
      machine ? md(`${machine.system}, ${machine.kernel}`) : '–',
    ]),
  );
}

/** Every series with its figures, collapsed: a ticket shows the verdict first. */
function seriesDetails(view: RunView, summaries: readonly SeriesSummary[]): string | undefined {
  if (summaries.length === 0) return undefined;
  const titles = figureColumns.map((column) => figureTitle(column, view.endedMs !== undefined));
  const rows = seriesRows(view.nodes, summaries, audienceLines(view.nodes, view.plan)).map((row) => [
    md(row.nodeName),
    `${md(row.title)} \`${row.series}\``,
    formatCount(row.count),
    ...figureColumns.map(({ id }) => seriesText(row.series, row[id])),
  ]);
  const table = tableOf(['Node', 'Series', 'Samples', ...titles], rows);
  return `<details><summary>All series</summary>\n\n${table}\n\n</details>`;
}

/** A table of plain texts; undefined without rows. */
function tableText({
  head,
  rows,
}: {
  readonly head: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
}) {
  if (rows.length === 0) return undefined;
  return tableOf(
    head,
    rows.map((row) => row.map(md)),
  );
}

const listed = (sentences: readonly string[]): string => sentences.map((sentence) => `- ${md(sentence)}`).join('\n');

/** The numbered reasons of a verdict. */
export const reasonsText = (view: RunView): string =>
  (view.verdict?.reasons ?? [])
    .map(
      ({ number, sentence, expected, timeMs }) =>
        `${number}. ${md(sentence)} (${md(expected)}, at ${runTime(view, timeMs)})`,
    )
    .join('\n');

/** The run in short, for a pull request, a ticket or a chat: verdict, figures, reasons, headroom, limit, machines. */
export function markdownText(reader: RunReader): string {
  const view = reader.view();
  const { verdict, limit } = view;
  const summaries = reader.summaries();
  const data = integrityText(view.integrity);
  const events = reader.events();
  const notes = events.filter((event) => event.kind === 'note');
  const checks = agreementOf(events.flatMap(({ spotCheck }) => spotCheck ?? []));
  const notPassed = (view.preflight?.findings ?? []).filter(({ result }) => result !== 'pass');
  const baselines = baselineRows(view);
  const audiences = audienceTable(view, summaries);
  const outages = outageTable(view);
  const browsers = browserViewersTable(view);
  const distributed = distributionsTable(view);
  const part = (title: string, body: string | undefined | false): string | undefined =>
    body ? `## ${title}\n\n${body}` : undefined;
  const parts = [
    `# ${md(view.name)}: ${verdictText(verdict?.verdict).toUpperCase()}`,
    md(verdict?.sentence ?? 'The run has not ended; the figures are those up to now.'),
    data === undefined ? undefined : md(data),
    figuresTable(view, summaries),
    part('Why', verdict && reasonsText(view)),
    part('Headroom', verdict && listed(verdict.headroom)),
    part('Audiences', tableText(audiences)),
    part('Outages', tableText(outages)),
    part('Browser viewers', browsers && [md(browsers.about), tableText(browsers)].filter(Boolean).join('\n\n')),
    part('Distributions over all viewers', tableText(distributed)),
    part('Spot checks', checks && md(agreementText(checks))),
    part('Not evaluated', verdict && listed((verdict.notes ?? []).map(({ sentence }) => sentence))),
    part(
      'Limit',
      limit &&
        [limit.sentence, limit.bottleneck?.sentence]
          .filter((sentence, i, all) => sentence !== undefined && all.indexOf(sentence) === i)
          .map((sentence) => md(sentence ?? ''))
          .join('\n\n'),
    ),
    part('Testers at their own limit', listed((view.testerLimits ?? []).map(({ sentence }) => sentence))),
    part('Baseline', tableText(baselines)),
    part(
      'Before the load',
      notPassed.length > 0 &&
        tableOf(
          ['Node', 'What', 'Result', 'Found'],
          notPassed.map(({ node, title, result, sentence }) => [md(node), md(title), result, md(sentence)]),
        ),
    ),
    part(
      'Notes',
      notes.map(({ timeMs, who, sentence }) => `- ${runTime(view, timeMs)}, ${md(who)}: ${md(sentence)}`).join('\n'),
    ),
    part('Machines', machines(view)),
    seriesDetails(view, summaries),
    `<details><summary>Plan</summary>\n\n${codeBlock(planToYaml(view.plan).trimEnd(), 'yaml')}\n\n</details>`,
    `Run \`${view.id}\`, started ${utc(view.startedMs)} UTC. Written by Fullhouse ${reader.engine().version}.`,
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

/** Throws the file system's error. */
export function writeMarkdown(reader: RunReader, path: string): void {
  writeFileSync(path, markdownText(reader));
}
