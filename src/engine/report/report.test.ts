import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultLayout } from '../../domain/model/chartLayout';
import { openRunLibrary, type RunLibrary } from '../store';
import { testSample, testStartMs } from '../../../tests/support/savedRun';
import { writeCsv, writeHtml } from './index';
import { markup } from './markup';
import { decodeColumn } from './page/decodeColumn';
import type { ReportScene } from './page/scene';
import { saveEmptyRun, saveThousandViewers, thousandViewers } from '../../../tests/support/reportRun';

let folder: string;
let library: RunLibrary;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-report-'));
  library = openRunLibrary(join(folder, 'runs'), { repeat: () => () => undefined });
  saveThousandViewers(library);
  saveEmptyRun(library);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function htmlOf(id: string): string {
  const path = join(folder, `${id}.html`);
  const reader = library.open(id);
  writeHtml(reader, path);
  reader.close();
  return readFileSync(path, 'utf8');
}

function inside(html: string, opening: string, closing: string): string {
  const from = html.indexOf(opening) + opening.length;
  return html.slice(from, html.indexOf(closing, from));
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the HTML report', () => {
  it('allows its own style and script and nothing else', () => {
    const html = htmlOf('thousand');
    const policy = inside(html, 'http-equiv="Content-Security-Policy" content="', '"').replaceAll('&#39;', "'");
    const style = hashOf(inside(html, '<style>', '</style>'));
    const script = hashOf(inside(html, '<script type="module">', '</script>'));
    expect(policy).toBe(
      `default-src 'none'; style-src ${style}; script-src ${script}; img-src data:; font-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(html).not.toMatch(/ style="/);
    expect(html).not.toMatch(/ on[a-z]+="/);
  });

  it('references nothing outside itself', () => {
    const html = htmlOf('thousand');
    const sources = [...html.matchAll(/(?:src|href)="([^"]*)"|url\("?([^")]*)/g)].map(([, a, b]) => a ?? b ?? '');
    expect(sources.length).toBeGreaterThan(1);
    for (const source of sources) expect(source).toMatch(/^data:|^#/);
  });

  it('has a complete script', () => {
    const script = inside(htmlOf('thousand'), '<script type="module">', '</script>');
    expect(() => new Script(script)).not.toThrow();
    expect(script).not.toMatch(/^(import|export) /m);
  });

  it('contains every sample of the run', () => {
    const scene = JSON.parse(
      inside(htmlOf('thousand'), '<script type="application/json" id="data">', '</script>'),
    ) as ReportScene;
    const written = new Map<string, number[]>();
    for (const { node, series, value } of thousandViewers()) {
      const key = `${node} ${series}`;
      written.set(key, [...(written.get(key) ?? []), value]);
    }
    const held = new Map(
      scene.series.map(({ node, series, data, count }) => [
        `${node} ${series}`,
        Array.from(decodeColumn(data, count).v),
      ]),
    );
    expect(held).toEqual(written);
    expect(scene.startMs).toBe(testStartMs);
  });

  it('shows verdict, reasons, failures, events, plan, machines and percentiles without its script', () => {
    const html = htmlOf('thousand').replace(/<script[\s\S]*?<\/script>/g, '');
    for (const text of [
      '<span class="pill fail">FAIL</span>',
      'CPU of origin exceeded its limit',
      '4 checks sent to 127.0.0.1:31422',
      'POST answered 503 &lt;busy&gt;.',
      'Backup job started &lt;on purpose&gt; &amp; stopped',
      'npx --no-install fullhouse run pull-1000-on-the-local-lab.yaml',
      'hold: 60s }',
      '2 × Intel(R) Xeon(R) CPU @ 2.20GHz',
      'fullhouse 0.1.0, agent 0.1.0',
      'src="data:image/png;base64,',
      'Longest stop-the-world pause',
    ])
      expect(html).toContain(text);
    expect(html.match(/<svg class="chart"/g)).toHaveLength(10);
    const order = ['class="headline"', 'class="charts"', '<h2>Distributions', '<h2>Events', '<h2>All series'];
    const places = order.map((part) => html.indexOf(part)).filter((place) => place >= 0);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(html.match(/<tr data-series=/g)?.length).toBe(
      new Set(thousandViewers().map(({ node, series }) => node + series)).size,
    );
    expect(html).not.toContain('undefined');
    expect(html).not.toContain('NaN');
  });

  it('shows a run without samples', () => {
    const html = htmlOf('nothing').replace(/<script[\s\S]*?<\/script>/g, '');
    expect(html).toContain('Stopped before any viewer was requested.');
    // A chart without data would be an empty frame: it is only named.
    expect(html.match(/<figure data-chart/g)).toBeNull();
    expect(html).toMatch(/Without data in this run: Viewers, CPU, /);
    expect(html).not.toContain('undefined');
    expect(html).not.toContain('NaN');
  });

  it('escapes what it is given', () => {
    expect(markup`<b title="${'"a" & <b>'}">${['x<', markup`<i>`]}${undefined}${false}${0}</b>`.html).toBe(
      '<b title="&quot;a&quot; &amp; &lt;b&gt;">x&lt;<i>0</b>',
    );
  });
});

describe('the CSV', () => {
  it('has a line for every sample, in plain numbers, ISO time and units', async () => {
    const path = join(folder, 'run.csv');
    const reader = library.open('thousand');
    await writeCsv(reader, path);
    reader.close();
    const lines = readFileSync(path, 'utf8').split('\r\n');
    expect(lines[0]).toBe('time,node,series,unit,value');
    expect(lines).toHaveLength(thousandViewers().length + 2);
    expect(lines).toContain('2026-11-22T15:21:13.012Z,origin,originPacketsPerSecond,packets/s,41832');
    expect(lines).toContain('2026-11-22T15:21:03.151Z,audience,viewersConnected,,996');
  });

  it('is only its head when nothing was measured', async () => {
    const path = join(folder, 'nothing.csv');
    await writeCsv(library.open('nothing'), path);
    expect(statSync(path).size).toBe('time,node,series,unit,value\r\n'.length);
  });
});

describe('the charts of the HTML report', () => {
  const titlesOf = (html: string): readonly string[] =>
    [...html.matchAll(/<figcaption><b>([^<]*)<\/b>/g)].map(([, title]) => title ?? '');

  it('are those of the layout that the run was watched with, drops among them once there are any', () => {
    const view = saveThousandViewers(library, 'arranged', {
      samples: [testSample(30, 'origin', 'udpReceiveBufferErrorsPerSecond', 13_000)],
      layout: {
        name: 'soak',
        layout: {
          ...defaultLayout,
          order: ['custom:1'],
          custom: [{ id: 'custom:1', title: 'Cores', series: ['cpuCorePercent:0', 'cpuCorePercent:1'] }],
          hidden: ['gc'],
          banded: ['cpu'],
        },
      },
    });
    expect(view.layout?.name).toBe('soak');
    const html = htmlOf('arranged');
    const titles = titlesOf(html);
    expect(titles[0]).toBe('Cores');
    expect(titles).toContain('UDP drops');
    expect(titles).not.toContain('GC pause');
    const scene = JSON.parse(inside(html, '<script type="application/json" id="data">', '</script>')) as ReportScene;
    expect(scene.charts[0]?.panels[0]?.traces.map(({ label }) => label)).toEqual(['CPU core 0', 'CPU core 1']);
    expect(scene.charts.filter(({ isBanded }) => isBanded).map(({ id }) => id)).toEqual(['cpu']);
  });
});

it('describes each chart in a sentence, for readers who do not see it', () => {
  const labels = [...htmlOf('thousand').matchAll(/<svg class="chart" role="img" aria-label="([^"]+)"/g)];
  const sentences = labels.map(([, sentence = '']) => sentence);
  expect(sentences.length).toBeGreaterThan(5);
  expect(sentences.find((sentence) => sentence.startsWith('CPU:'))).toMatch(/peak [\d.]+ % at \d+:\d\d/);
});
