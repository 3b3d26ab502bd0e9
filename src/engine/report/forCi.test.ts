import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunView, Verdict } from '../../domain/model/run';
import type { RunReader } from '../store';
import { testView } from '../../../tests/support/savedRun';
import { casesOf } from './cases';
import { expectationResults } from './expectationResults';
import { junitWithoutRun, junitXml } from './junit';
import { markdownText } from './markdown';
import { openThousandViewers } from '../../../tests/support/reportRun';

let reader: RunReader;
let close: () => void;
beforeAll(() => {
  ({ reader, close } = openThousandViewers());
});
afterAll(() => close());

/** The run with another view. */
function withView(changes: Partial<RunView>): RunReader {
  const view = { ...reader.view(), ...changes };
  return {
    ...reader,
    view: () => view,
    engine: () => reader.engine(),
    events: () => reader.events(),
    summaries: () => reader.summaries(),
  };
}
const verdict = (name: Verdict['verdict'], reasons: Verdict['reasons'] = []): Verdict => ({
  verdict: name,
  sentence: `It is ${name}.`,
  reasons,
  headroom: [],
});
const reason = (changes: Partial<Verdict['reasons'][number]>): Verdict['reasons'][number] => ({
  number: 1,
  sentence: 'Too much of it.',
  expected: 'expected <= 80 %',
  timeMs: testView('x').startedMs + 39_000,
  ...changes,
});

/** Attributes and children of each element by the schema of Jenkins' xUnit plugin (junit-10). */
const jenkins: Readonly<Record<string, { attributes: string; required?: string; children: string }>> = {
  testsuites: { attributes: 'name time tests failures errors', children: 'testsuite' },
  testsuite: {
    attributes: 'name tests failures errors group time skipped timestamp hostname id package file log url',
    required: 'name tests failures errors',
    children: 'testsuite properties testcase system-out system-err',
  },
  properties: { attributes: '', children: 'property' },
  property: { attributes: 'name value', required: 'name value', children: '' },
  testcase: {
    attributes: 'name time classname group',
    required: 'name',
    children: 'skipped error failure system-out system-err',
  },
  skipped: { attributes: 'type message', children: '' },
  error: { attributes: 'type message', children: '' },
  failure: { attributes: 'type message', children: '' },
  'system-out': { attributes: '', children: '' },
};

type Ordered = ReadonlyArray<Readonly<Record<string, unknown>>>;

/** What this schema refuses in a file, each with the element. */
function refusedByJenkins(xml: string): string[] {
  const parser = new XMLParser({ ignoreAttributes: false, preserveOrder: true, attributeNamePrefix: '' });
  const faultsOf = (elements: Ordered, allowed: string): string[] =>
    elements.flatMap((element) => {
      const [name = ''] = Object.keys(element).filter((key) => key !== ':@');
      if (name === '#text' || name === '?xml') return [];
      const rule = jenkins[name];
      if (!rule || !allowed.split(' ').includes(name)) return [`<${name}>`];
      const attributes = Object.entries((element[':@'] ?? {}) as Record<string, string>);
      const names = attributes.map(([key]) => key);
      return [
        ...names.filter((key) => !rule.attributes.split(' ').includes(key)).map((key) => `${name}.${key}`),
        ...(rule.required?.split(' ') ?? []).filter((key) => !names.includes(key)).map((key) => `${name} lacks ${key}`),
        ...attributes
          .filter(([key, value]) => key === 'time' && !/^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/.test(value))
          .map(([, value]) => `${name}.time ${value}`),
        ...faultsOf(element[name] as Ordered, rule.children),
      ];
    });
  return faultsOf(parser.parse(xml) as Ordered, 'testsuites');
}

describe('JUnit XML', () => {
  it("is valid by Jenkins' schema, whatever the verdict, and without a run", () => {
    for (const name of ['pass', 'fail', 'inconclusive', 'stopped', 'interrupted'] as const)
      expect(
        refusedByJenkins(junitXml(withView({ verdict: verdict(name, [reason({ expectation: 'cpu' })]) }))),
      ).toEqual([]);
    const without = junitWithoutRun('a <plan>.yaml', ['It does not exist.', 'Line 3: "&" <b>']);
    expect(refusedByJenkins(without)).toEqual([]);
    expect(XMLValidator.validate(without)).toBe(true);
    expect(without).toContain('tests="1" failures="0" errors="1"');
    // The check itself finds what that schema refuses.
    const refused =
      '<testsuites skipped="0"><testsuite name="a" tests="1" failures="0"><testcase status="x"/></testsuite></testsuites>';
    expect(refusedByJenkins(refused)).toEqual([
      ...['testsuites.skipped', 'testsuite lacks errors', 'testcase.status', 'testcase lacks name'],
    ]);
  });

  it('has a suite with a case for each expectation, and counts that fit', () => {
    const xml = junitXml(reader);
    expect(XMLValidator.validate(xml)).toBe(true);
    const parsed = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'testcase' }).parse(xml) as {
      testsuites: { testsuite: Record<string, unknown> & { testcase: Array<Record<string, unknown>> } };
    };
    const suite = parsed.testsuites.testsuite;
    expect(suite).toMatchObject({
      '@_name': 'Pull 1000 on the local lab',
      // Two of degraded viewers: as the audience and as the origin count them.
      '@_tests': '6',
      // CPU of the machine that the tester shares does not count for the origin.
      '@_errors': '1',
      '@_skipped': '0',
    });
    expect(suite.testcase).toHaveLength(6);
    const failed = suite.testcase.filter((each) => each['failure'] !== undefined);
    expect(suite['@_failures']).toBe(String(failed.length));
    expect(failed[0]).toMatchObject({
      '@_name': 'viewers degraded <= 1 %',
      failure: { '@_message': expect.stringMatching(/were degraded/) as string, '@_type': 'expected <= 1 %' },
    });
    const seconds = suite.testcase.reduce((sum, each) => sum + Number(each['@_time']), 0);
    expect(seconds).toBeCloseTo(Number(suite['@_time']));
  });

  it('stays well-formed with any server text', () => {
    const xml = junitXml(
      withView({
        name: 'a <b> & "c" \u0007 ]]> \ud800',
        verdict: verdict('fail', [reason({ sentence: '</failure>\u0000<x a="\u001b[31m">', expectation: 'cpu' })]),
      }),
    );
    expect(XMLValidator.validate(xml)).toBe(true);
    expect([...xml].every((sign) => sign === '\n' || sign >= ' ')).toBe(true);
  });
});

it('has a case for each of several audiences, named as in the result as JSON', () => {
  const { plan, startedMs } = reader.view();
  const finding = (audience: string, result: 'met' | 'failed' | 'skipped') => ({
    ...{ result, audience, expectation: 'connected' as const, sentence: `${audience} is ${result}.` },
    ...{ expected: 'expected >= 99 %', timeMs: startedMs + 1000 },
  });
  const findings = [finding('a', 'met'), finding('b', 'failed'), finding('c', 'skipped'), finding('d', 'failed')];
  // That of the last one has another cause.
  const reasons = findings.slice(1, 2).map(({ result: _, audience: __, ...each }) => reason(each));
  const run = withView({
    plan: { ...plan, expect: { connected: plan.expect.connected }, thresholds: [] },
    verdict: { ...verdict('fail', reasons), findings },
  });
  const cases = casesOf(run.view());
  expect(cases.map(({ name, result }) => [name, result])).toEqual([
    ['the run is conclusive', 'passed'],
    ['viewers connected >= 99 %: a', 'passed'],
    ['viewers connected >= 99 %: b', 'failed'],
    ['viewers connected >= 99 %: c', 'skipped'],
    ['viewers connected >= 99 %: d', 'unclear'],
  ]);
  expect(expectationResults(run.view()).map(({ name }) => name)).toEqual(cases.slice(1).map(({ name }) => name));
  expect(junitXml(run)).toMatch(/<testsuite .*tests="5" failures="1" errors="1" time="[\d.]+" skipped="1"/);
});

describe('cases for CI', () => {
  const results = (changes: Partial<RunView>): string[] =>
    casesOf({ ...reader.view(), ...changes }).map(({ result }) => result);
  it('is an error when the run is inconclusive', () => {
    expect(results({ verdict: verdict('pass') })).toEqual(['passed', 'passed', 'passed', 'passed', 'passed']);
    expect(results({ verdict: verdict('inconclusive') })).toEqual([
      'unclear',
      'skipped',
      'skipped',
      'skipped',
      'skipped',
    ]);
    expect(results({ verdict: verdict('inconclusive', [reason({ expectation: 'cpu' })]) })).toEqual([
      'unclear',
      'passed',
      'passed',
      'unclear',
      'passed',
    ]);
    expect(results({ verdict: verdict('stopped') })).toEqual(['unclear', 'skipped', 'passed', 'passed', 'passed']);
    expect(results({ verdict: verdict('interrupted') })[1]).toBe('skipped');
    expect(results({ verdict: undefined })[0]).toBe('unclear');
  });
  it('has thresholds of any series, and other failures of the run', () => {
    const { plan } = reader.view();
    const cases = casesOf({
      ...reader.view(),
      plan: {
        ...plan,
        expect: {},
        thresholds: [
          { series: 'rttP95Ms', comparison: '<=', value: 50 },
          { series: 'rttP95Ms', comparison: '>=', value: 1 },
        ],
      },
      verdict: verdict('fail', [
        reason({ series: 'rttP95Ms', expected: 'expected <= 50 ms', sentence: 'RTT was 70 ms.' }),
        reason({ expected: 'baseline 262 viewers', sentence: 'It was better last week.' }),
      ]),
    });
    expect(cases.map(({ name, result }) => [name, result])).toEqual([
      ['the run is conclusive', 'passed'],
      ['RTT p95 <= 50 ms', 'failed'],
      ['RTT p95 >= 1 ms', 'passed'],
      ['baseline 262 viewers', 'failed'],
    ]);
  });
  it('finds the reason of a threshold in any notation, and drops none', () => {
    const view = reader.view();
    const [node] = view.nodes;
    const cases = casesOf({
      ...view,
      plan: {
        ...view.plan,
        expect: {},
        thresholds: [
          { series: 'memoryUsedBytes', node: node?.name, comparison: '<=', value: 4e9 },
          { series: 'rttP95Ms', comparison: '>=', value: 5 },
        ],
      },
      verdict: verdict('fail', [
        reason({ series: 'memoryUsedBytes', node: node?.id, expected: 'expected <= 4 GB' }),
        reason({ series: 'rttP95Ms', expected: 'expected <= 50 ms' }),
        reason({ series: 'cpuPercent', expected: 'baseline 40 %' }),
      ]),
    });
    expect(cases.map(({ result }) => result)).toEqual(['passed', 'failed', 'passed', 'failed', 'failed']);
    expect(cases.map(({ name }) => name).slice(3)).toEqual(['expected <= 50 ms', 'baseline 40 %']);
  });
});

describe('the summary in Markdown', () => {
  it('contains the result of the run, and escapes names', () => {
    const text = markdownText(withView({ name: 'a|b *c* <d>' }));
    expect(text).toContain('# a\\|b \\*c\\* \\<d\\>: FAIL');
    expect(text).toContain('| Peak connected viewers | 996 of 1,000 |');
    expect(text).toMatch(/## Why\n\n1\. .* were degraded/);
    expect(text).toContain('## Machines');
    expect(text).toContain('name: Pull 1000 on the local lab');
  });
});
