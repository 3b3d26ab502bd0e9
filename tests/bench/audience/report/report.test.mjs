import { describe, expect, it } from 'vitest';
import { growthTable, putBetween } from './docs.mjs';
import { axisOf, growthPlot, linePath } from './plot.mjs';
import { rowsOf } from './rows.mjs';
import { shown, spreadOf } from './spread.mjs';
import { markdownTable, terminalTable } from './table.mjs';

const spread = (median, least = median, most = median) => ({ median, least, most });
const crowd = (cpu, mb, packets) => ({
  cpuPercent: spread(cpu),
  rssMb: spread(mb),
  packetsPerSecond: spread(packets),
});

describe('spread', () => {
  it('is median, least and most of what was measured', () => {
    expect(spreadOf([3, 1, 2])).toEqual(spread(2, 1, 3));
    expect(spreadOf([4, 1, 2, 3])).toEqual(spread(2.5, 1, 4));
    expect(spreadOf([Number.NaN, 5])).toEqual(spread(5));
    expect(spreadOf([])).toBeUndefined();
  });

  it('is shown with the range only where there is one', () => {
    expect(shown(spread(13.24, 12.9, 14.71), '%')).toBe('13.2 % (12.9 to 14.7)');
    expect(shown(spread(1234.5), 'MB')).toBe('1,235 MB');
    expect(shown(spread(0.456), 's')).toBe('0.46 s');
    expect(shown(undefined, '%')).toBe('');
  });
});

describe('rows', () => {
  const verdicts = (results, viewers = 1000) =>
    rowsOf(results, { viewers }).map(({ what, verdict }) => [what.slice(0, 30), verdict]);

  it('hold figures against what is wanted', () => {
    const whep = {
      ours: { ...crowd(12, 40, 60_000), connectMs: 900 },
      plain: { ...crowd(90, 470, 60_000), connectMs: 8000 },
      arrivalMs: spread(2100),
      truer: crowd(24, 40, 60_000),
    };
    const rows = rowsOf({ whep }, { viewers: 1000 });
    expect(rows.map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'ok', 'missed', 'ok']);
    expect(rows[0]).toMatchObject({
      field: 'srs_bench 100 %',
      plain: '90 %',
      ours: '12 %',
      wanted: '<= 16 %',
    });
    expect(rows[1]).toMatchObject({ ours: '0.13 x', wanted: '<= 0.18 x' });
    expect(rows[3]).toMatchObject({ plain: '8 s', ours: '2.1 s' });
  });

  it('praise nobody for an easier task', () => {
    const whep = { ours: crowd(5, 40, 50_000) };
    const [cpu] = rowsOf({ whep }, { viewers: 1000 });
    expect(cpu.verdict).toBe('not at full rate');
    expect(cpu.notes).toEqual(['50,000 packets/s came; 60,000 a second should have.']);
    const [unknown] = rowsOf(
      { whep: { ours: { ...crowd(5, 40), packetsPerSecond: undefined } } },
      { viewers: 1000 },
    );
    expect(unknown.verdict).toBe('not at full rate');
  });

  it('want the feedback that the row speaks of', () => {
    const verdictAt = (feedbackPerSecond) =>
      rowsOf({ whep: { truer: { ...crowd(20, 40, 60_000), feedbackPerSecond } } }, { viewers: 1000 })[0];
    expect(verdictAt(10)).toMatchObject({
      verdict: 'ok',
      notes: ['10.0 packets of feedback/s from each viewer.'],
    });
    expect(verdictAt(0).verdict).toBe('not at full rate');
  });

  it('say what can not be measured yet, and why', () => {
    const rows = rowsOf(
      {
        rtmp: { ours: { missing: 'It plays whep.' }, plain: { ...crowd(50, 20, 1), kbps: spread(214_000) } },
      },
      { viewers: 1000 },
    );
    expect(rows.map(({ verdict }) => verdict)).toEqual(['not available', 'not available']);
    expect(rows[0]).toMatchObject({
      what: 'CPU of 1,000 RTMP viewers at 214 Mbit/s',
      plain: '50 %',
      notes: ['It plays whep.'],
    });
  });

  it('compare with the floor at the same number of viewers, and a viewer of a large crowd with one of a small', () => {
    const ours = [500, 1000, 2000, 3000].map((viewers) => ({
      viewers,
      ...crowd(viewers / 100 + 3, 30, viewers * 60),
    }));
    const floor = ours.map((each) => ({ ...each, cpuPercent: spread(each.viewers / 100) }));
    const bare = { ours, floor, most: 3000, thousand: 1000 };
    expect(verdicts({ bare })).toEqual([
      ['CPU of 3,000 viewers of a bare', 'ok'],
      ['memory of the same', 'ok'],
      ['1,000 viewers of a bare sender', ''],
      ['the floor of the same: 1,000 s', ''],
      ['ours to the floor of a socket ', 'ok'],
      ['CPU per 1,000 viewers, 500 to ', 'ok'],
    ]);
    const steeper = ours.map((each) => ({ ...each, cpuPercent: spread(each.viewers ** 1.2 / 400) }));
    expect(verdicts({ bare: { ...bare, ours: steeper } }).at(-1)[1]).toBe('missed');
  });

  it('judge nothing of another number of viewers than was asked for', () => {
    expect(verdicts({ whep: { ours: crowd(50, 100, 6000) } }, 100).map(([, verdict]) => verdict)).toEqual([
      '',
      '',
    ]);
  });
});

describe('tables', () => {
  const rows = rowsOf({ whep: { ours: crowd(5, 40, 50_000) } }, { viewers: 1000 });

  it('line up on a terminal', () => {
    const [head, first, note, second] = terminalTable(rows);
    expect(first.indexOf('<= 16 %')).toBe(head.indexOf('wanted'));
    expect(second.indexOf('<= 45 MB')).toBe(head.indexOf('wanted'));
    expect(note).toBe('  50,000 packets/s came; 60,000 a second should have.');
  });

  it('are well-formed Markdown', () => {
    const lines = markdownTable([...rows, { ...rows[0], what: 'a | b' }]);
    expect(lines.at(-1)).toContain('a \\| b');
    expect(lines.map((line) => line.replaceAll('\\|', '').split('|').length)).toEqual([8, 8, 8, 8, 8]);
  });
});

describe('the plot', () => {
  it('has round steps up to the highest figure', () => {
    expect(axisOf(37)).toEqual({ step: 10, most: 40 });
    expect(axisOf(40)).toEqual({ step: 10, most: 40 });
    expect(axisOf(4.1)).toEqual({ step: 1, most: 5 });
    expect(axisOf(0).most).toBeGreaterThan(0);
  });

  it('draws a line through its points, and higher figures higher up', () => {
    expect(
      linePath([
        [1, 2],
        [3.04, 4],
      ]),
    ).toBe('M1 2 L3 4');
    const point = (viewers, cpu) => ({ viewers, cpuPercent: spread(cpu, cpu - 1, cpu + 1) });
    const svg = growthPlot([
      { name: 'ours', kind: 'ours', points: [point(500, 8), point(3000, 36)] },
      { name: 'floor', kind: 'floor', points: [point(500, 7), point(3000, 30)] },
    ]);
    const [ours, floor] = [
      ...svg.matchAll(/class="line \w+" d="M([\d.]+) ([\d.]+) L([\d.]+) ([\d.]+)"/g),
    ].map((match) => match.slice(1).map(Number));
    expect(ours[0]).toBe(floor[0]);
    expect(ours[3]).toBeLessThan(floor[3]);
    expect(ours[3]).toBeLessThan(ours[1]);
    expect(svg).toContain('ours 36 %');
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(svg).not.toMatch(/NaN|undefined/);
  });
});

describe('the names in the plot', () => {
  it('do not overlap where lines end close to each other', () => {
    const points = (cpu) => [
      { viewers: 500, cpuPercent: spread(1) },
      { viewers: 3000, cpuPercent: spread(cpu) },
    ];
    const svg = growthPlot([
      { name: 'ours', kind: 'ours', points: points(30) },
      { name: 'floor', kind: 'floor', points: points(30.1) },
    ]);
    const [upper, lower] = [...svg.matchAll(/class="name (\w+)" x="[\d.]+" y="([\d.]+)"/g)];
    expect([upper[1], lower[1]]).toEqual(['floor', 'ours']);
    expect(Number(lower[2]) - Number(upper[2])).toBeGreaterThanOrEqual(15);
  });
});

describe('the docs', () => {
  it('get their table between the markers, as often as wanted', () => {
    const page =
      'before\n\n<!-- bench:audience, written by the command below -->\nold\n<!-- end of bench:audience -->\nafter\n';
    const once = putBetween(page, ['| new |']);
    expect(once).toContain('before');
    expect(once).toContain('| new |');
    expect(once).not.toContain('old');
    expect(putBetween(once, ['| new |'])).toBe(once);
    expect(() => putBetween('nothing', [])).toThrow('docs/performance.md has no');
  });

  it('tell how cost grows, with the floor where it was measured', () => {
    const ours = [
      { viewers: 1000, ...crowd(15, 30, 60_000) },
      { viewers: 3000, ...crowd(36, 50, 180_000) },
    ];
    const lines = growthTable({ ours, floor: [{ viewers: 1000, ...crowd(12, 5, 60_000) }] });
    expect(lines.slice(2)).toEqual([
      '| 1,000 | 60,000 | 15 % | 30 MB | 12 % | 1.25 |',
      '| 3,000 | 180,000 | 36 % | 50 MB |  |  |',
    ]);
  });
});
