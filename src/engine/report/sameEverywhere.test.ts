import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareRuns } from '../../domain/compare/comparison';
import { endingOf } from '../../domain/run/runEnding';
import { limitedAreas } from '../../domain/tester/limitedAreas';
import { firstReason } from '../../domain/evidence/cause';
import { measureReader } from '../library/compare';
import { openRunLibrary, type RunLibrary, type RunReader } from '../store';
import { testStartMs } from '../../../tests/support/savedRun';
import { writeCsv, writeHtml } from './index';
import { junitXml } from './junit';
import { markdownText } from './markdown';
import type { ReportScene } from './page/scene';
import { resultOf } from './runResult';
import { saveThousandViewers } from '../../../tests/support/reportRun';

let folder: string;
let library: RunLibrary;
let reader: RunReader;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-same-'));
  library = openRunLibrary(join(folder, 'runs'), { repeat: () => () => undefined });
  saveThousandViewers(library);
  reader = library.open('thousand');
});
afterAll(() => {
  reader.close();
  rmSync(folder, { recursive: true, force: true });
});

it('all outputs of a run agree', async () => {
  const view = reader.view();
  const [htmlPath, csvPath] = [join(folder, 'r.html'), join(folder, 'r.csv')];
  writeHtml(reader, htmlPath);
  await writeCsv(reader, csvPath);
  const html = readFileSync(htmlPath, 'utf8');
  const [markdown, junit, result] = [markdownText(reader), junitXml(reader), resultOf(reader, '', null)];
  const measure = measureReader(reader);
  const candidate = (id: string) => ({
    ...{ id, name: id, isBaseline: false, repeatKey: id, others: [], measure },
  });
  const comparison = compareRuns([candidate('a'), candidate('b')]);
  const compared = (id: string): number | undefined =>
    comparison.figures.find((figure) => figure.id === id)?.cells[0]?.value;

  // Verdict, reasons and ending.
  const verdict = view.verdict!;
  expect(verdict.verdict).toBe('fail');
  expect(markdown).toContain(`: ${verdict.verdict.toUpperCase()}\n`);
  expect(html).toContain(`<span class="pill fail">FAIL</span>`);
  expect(junit).toContain('<property name="verdict" value="fail"/>');
  expect(comparison.runs[0]?.verdict).toBe(verdict.verdict);
  expect(result.verdict).toBe(verdict.verdict);
  expect(result.reasons).toEqual(verdict.reasons.map(({ sentence }) => sentence));
  for (const { sentence } of verdict.reasons) {
    const short = sentence.slice(0, 20);
    for (const output of [markdown, html, junit]) expect(output).toContain(short);
  }
  expect(measure.firstLimit?.timeMs).toBe(firstReason(view)?.timeMs);
  const ending = endingOf(view)!;
  expect(result.ended).toEqual({ kind: ending.kind, sentence: ending.sentence });
  for (const output of [markdown, junit]) expect(output).toContain(ending.sentence);
  expect(html).toContain(ending.text);

  // Hatched areas.
  const scene = JSON.parse(/<script[^>]*type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html)![1]!) as ReportScene;
  expect(scene.limited.map(({ fromMs }) => fromMs + testStartMs)).toEqual(
    limitedAreas(view).map(({ fromMs }) => fromMs),
  );

  // Viewers and degraded viewers.
  const { connectedPeak, degradedPeak } = view.figures;
  expect([result.viewers.connectedPeak, measure.connected]).toEqual([connectedPeak, connectedPeak]);
  expect(markdown).toContain(`${connectedPeak} of 1,000`);
  expect(html).toContain(`${connectedPeak} <small>/ 1,000`);
  expect(junit).toContain(`name="viewers.connectedPeak" value="${connectedPeak}"`);
  expect(result.degraded.max).toBe(degradedPeak);
  expect(junit).toContain(`name="viewers.degradedPeak" value="${degradedPeak}"`);

  // CPU of each node's machine: of the tester too, which shares the origin's.
  const rows = readFileSync(csvPath, 'utf8')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const cpu = Math.max(
    ...rows.filter(([, , series]) => series === 'cpuPercent').map(([, , , , value]) => Number(value)),
  );
  expect(result.nodes.map(({ cpuPercentMax }) => cpuPercentMax)).toEqual([cpu, cpu]);
  expect(compared('cpuMost')).toBe(cpu);
  for (const { name } of view.nodes) {
    expect(junit).toContain(`<property name="cpu.max.${name}" value="${cpu}"/>`);
    expect(markdown).toContain(`Peak host CPU of ${name} | ${cpu} %`);
  }
  expect(html).toContain(`${cpu}</span> <small>% CPU`);

  // No output for users contains a source file name.
  for (const output of [markdown, junit, html.replace(/<(script|style)[\s>].*?<\/\1>/gs, '')])
    expect(output).not.toMatch(/\b[\w-]+\/[\w/-]+\.(ts|go|mjs|svelte)\b/);
});
