import { writeFileSync } from 'node:fs';
import type { RunView } from '../../domain/model/run';
import { clientsOf, firstOrigin, publishesOnly } from '../../domain/model/publisherGroup';
import { endingOf } from '../../domain/run/runEnding';
import { xmlText as xml } from '../../domain/text/escape/markup';
import type { RunReader } from '../store';
import { figuresOfNodes, runTime } from './figures';
import { casesOf, type RunCase } from './cases';

const seconds = (ms: number): string => (Math.max(0, ms) / 1000).toFixed(3);

const asSeconds = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : seconds(ms));

/** `time`: only the first case, the run itself, has any; CI systems add them up. */
function testCase(view: RunView, { name, result, sentence = '', expected, atMs }: RunCase, time: string): string {
  const head = `    <testcase classname="${xml(`fullhouse.${view.plan.name.replace(/\./g, ' ')}`)}" name="${xml(name)}" time="${time}"`;
  if (result === 'passed') return `${head}/>`;
  const text = [
    sentence,
    expected,
    atMs === undefined ? undefined : `At ${runTime(view, view.startedMs + atMs)} of the run.`,
  ]
    .filter((line) => line !== undefined)
    .join('\n');
  const child =
    result === 'skipped'
      ? `<skipped message="${xml(sentence)}"/>`
      : `<${result === 'failed' ? 'failure' : 'error'} message="${xml(sentence)}" type="${xml(expected ?? view.verdict?.verdict ?? 'running')}">${xml(text)}</${result === 'failed' ? 'failure' : 'error'}>`;
  return `${head}>\n      ${child}\n    </testcase>`;
}

/** The run as a test suite in JUnit XML for CI systems: a case for each expectation of its plan. */
export function junitXml(reader: RunReader): string {
  const view = reader.view();
  const cases = casesOf(view);
  const count = (result: RunCase['result']): number => cases.filter((entry) => entry.result === result).length;
  const { figures, verdict, limit } = view;
  const isAlone = publishesOnly(view.plan);
  const clients = clientsOf(view.plan);
  const properties: ReadonlyArray<readonly [string, string | number | undefined]> = [
    ['run', view.id],
    ['verdict', verdict?.verdict],
    ['ended', endingOf(view)?.sentence],
    [`${clients}.requested`, figures.requested],
    [`${clients}.connectedPeak`, figures.connectedPeak],
    [`${clients}.failed`, figures.failed],
    ...(isAlone
      ? []
      : ([
          ['viewers.degradedPeak', figures.degradedPeak],
          ['viewers.reconnections', verdict?.outages?.reconnections],
        ] as const)),
    ['outages.count', verdict?.outages?.count],
    ['outages.sumSeconds', asSeconds(verdict?.outages?.sumMs)],
    ['outages.longestSeconds', asSeconds(verdict?.outages?.longestMs)],
    ['gaps.sumSeconds', asSeconds(verdict?.outages?.gaps.sumMs)],
    ...figuresOfNodes(view, reader.summaries()).map(
      ({ node, cpuMaxPercent }) => [`cpu.max.${node.name}`, cpuMaxPercent] as const,
    ),
    ['limit', limit?.sentence],
    ['fullhouse', reader.engine().version],
  ];
  const length = seconds((view.endedMs ?? view.startedMs) - view.startedMs);
  const totals = `tests="${cases.length}" failures="${count('failed')}" errors="${count('unclear')}" time="${length}"`;
  const output = [
    verdict?.sentence,
    ...(verdict?.reasons ?? []).map(({ sentence }) => sentence),
    ...(verdict?.headroom ?? []),
    ...(verdict?.audiences ?? []),
    ...(verdict?.notes ?? []).map(({ sentence }) => sentence),
    ...(view.testerLimits ?? []).map(({ sentence }) => sentence),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="fullhouse" ${totals}>
  <testsuite name="${xml(view.name)}" ${totals} skipped="${count('skipped')}" timestamp="${new Date(view.startedMs).toISOString().slice(0, 19)}" hostname="${xml(firstOrigin(view.plan))}">
    <properties>
${properties
  .filter(([, value]) => value !== undefined)
  .map(([name, value]) => `      <property name="${xml(name)}" value="${xml(String(value))}"/>\n`)
  .join('')}    </properties>
${cases.map((entry, i) => testCase(view, entry, i === 0 ? length : seconds(0))).join('\n')}
    <system-out>${xml(output.filter((line) => line !== undefined).join('\n'))}</system-out>
  </testsuite>
</testsuites>
`;
}

/** In place of the result of a run that has none: one case with an error, so that a CI system does not take it for a pass. */
export function junitWithoutRun(name: string, sentences: readonly string[]): string {
  const totals = 'tests="1" failures="0" errors="1" time="0.000"';
  const [first = ''] = sentences;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="fullhouse" ${totals}>
  <testsuite name="${xml(name)}" ${totals} skipped="0">
    <testcase classname="fullhouse" name="the run is started" time="0.000">
      <error message="${xml(first)}" type="not started">${xml(sentences.join('\n'))}</error>
    </testcase>
  </testsuite>
</testsuites>
`;
}

/** Throws the file system's error. */
export function writeJunit(reader: RunReader, path: string): void {
  writeFileSync(path, junitXml(reader));
}
