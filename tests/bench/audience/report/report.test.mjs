import { describe, expect, it } from 'vitest';
import { growthTable, replaceBetween } from './docs.mjs';
import { axisOf, growthPlot, linePath } from './plot.mjs';
import { rowsOf } from './rows.mjs';
import { shown, spreadOf } from './spread.mjs';
import { markdownTable, terminalTable } from './table.mjs';

const spread = (median, least = median, most = median) => ({ median, least, most });
const group = (cpu, mb, packets) => ({
  cpuPercent: spread(cpu),
  rssMb: spread(mb),
  packetsPerSecond: spread(packets),
});

describe('spread', () => {
  it('is median, minimum and maximum of the measurements', () => {
    expect(spreadOf([3, 1, 2])).toEqual(spread(2, 1, 3));
    expect(spreadOf([4, 1, 2, 3])).toEqual(spread(2.5, 1, 4));
    expect(spreadOf([Number.NaN, 5])).toEqual(spread(5));
    expect(spreadOf([])).toBeUndefined();
  });

  it('is shown with the range only if it has one', () => {
    expect(shown(spread(13.24, 12.9, 14.71), '%')).toBe('13.2 % (12.9 to 14.7)');
    expect(shown(spread(1234.5), 'MB')).toBe('1,235 MB');
    expect(shown(spread(0.456), 's')).toBe('0.46 s');
    expect(shown(undefined, '%')).toBe('');
  });
});

describe('rows', () => {
  const verdicts = (results, viewers = 1000) =>
    rowsOf(results, { viewers }).map(({ what, verdict }) => [what.slice(0, 30), verdict]);

  it('compare figures with their targets', () => {
    const whep = {
      ours: { ...group(12, 40, 60_000), connectMs: 900 },
      plain: { ...group(90, 470, 60_000), connectMs: 8000 },
      rampUpMs: spread(2100),
      truer: group(24, 40, 60_000),
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

  it('give no verdict on a lighter load than specified', () => {
    const whep = { ours: group(5, 40, 50_000) };
    const [cpu] = rowsOf({ whep }, { viewers: 1000 });
    expect(cpu.verdict).toBe('not at full rate');
    expect(cpu.notes).toEqual(['50,000 packets/s received; 60,000 expected.']);
    const [unknown] = rowsOf({ whep: { ours: { ...group(5, 40), packetsPerSecond: undefined } } }, { viewers: 1000 });
    expect(unknown.verdict).toBe('not at full rate');
  });

  it('require the feedback rate of the row', () => {
    const verdictAt = (feedbackPerSecond) =>
      rowsOf({ whep: { truer: { ...group(20, 40, 60_000), feedbackPerSecond } } }, { viewers: 1000 })[0];
    expect(verdictAt(10)).toMatchObject({
      verdict: 'ok',
      notes: ['10.0 feedback packets/s per viewer.'],
    });
    expect(verdictAt(0).verdict).toBe('not at full rate');
  });

  it('state what is not available, and why', () => {
    const rows = rowsOf(
      {
        rtmp: { ours: { missing: 'It supports WHEP only.' }, plain: { ...group(50, 20, 1), kbps: spread(214_000) } },
      },
      { viewers: 1000 },
    );
    expect(rows.map(({ verdict }) => verdict)).toEqual(['not available', 'not available']);
    expect(rows[0]).toMatchObject({
      what: 'CPU of 1,000 RTMP viewers at 214 Mbit/s',
      plain: '50 %',
      notes: ['It supports WHEP only.'],
    });
  });

  it('compare with the receive-only program at the same number of viewers, and large groups with small ones', () => {
    const ours = [500, 1000, 2000, 3000].map((viewers) => ({
      viewers,
      ...group(viewers / 100 + 3, 30, viewers * 60),
    }));
    const floor = ours.map((each) => ({ ...each, cpuPercent: spread(each.viewers / 100) }));
    const bare = { ours, floor, most: 3000, thousand: 1000 };
    expect(verdicts({ bare })).toEqual([
      ['CPU of 3,000 viewers of a mini', 'ok'],
      ['memory of the same', 'ok'],
      ['1,000 viewers of a minimal sen', ''],
      ['receive-only program, 1,000 so', ''],
      ['ratio of agent to receive-only', 'ok'],
      ['CPU per 1,000 viewers, 500 to ', 'ok'],
    ]);
    const steeper = ours.map((each) => ({ ...each, cpuPercent: spread(each.viewers ** 1.2 / 400) }));
    expect(verdicts({ bare: { ...bare, ours: steeper } }).at(-1)[1]).toBe('missed');
  });

  it('give no verdict with another number of viewers than specified', () => {
    expect(verdicts({ whep: { ours: group(50, 100, 6000) } }, 100).map(([, verdict]) => verdict)).toEqual(['', '']);
  });
});

describe('tables', () => {
  const rows = rowsOf({ whep: { ours: group(5, 40, 50_000) } }, { viewers: 1000 });

  it('line up on a terminal', () => {
    const [head, first, note, second] = terminalTable(rows);
    expect(first.indexOf('<= 16 %')).toBe(head.indexOf('target'));
    expect(second.indexOf('<= 45 MB')).toBe(head.indexOf('target'));
    expect(note).toBe('  50,000 packets/s received; 60,000 expected.');
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
      { name: 'agent', kind: 'ours', points: [point(500, 8), point(3000, 36)] },
      { name: 'recv-only', kind: 'floor', points: [point(500, 7), point(3000, 30)] },
    ]);
    const [ours, floor] = [...svg.matchAll(/class="line \w+" d="M([\d.]+) ([\d.]+) L([\d.]+) ([\d.]+)"/g)].map(
      (match) => match.slice(1).map(Number),
    );
    expect(ours[0]).toBe(floor[0]);
    expect(ours[3]).toBeLessThan(floor[3]);
    expect(ours[3]).toBeLessThan(ours[1]);
    expect(svg).toContain('agent 36 %');
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
      { name: 'agent', kind: 'ours', points: points(30) },
      { name: 'recv-only', kind: 'floor', points: points(30.1) },
    ]);
    const [upper, lower] = [...svg.matchAll(/class="name (\w+)" x="[\d.]+" y="([\d.]+)"/g)];
    expect([upper[1], lower[1]]).toEqual(['floor', 'ours']);
    expect(Number(lower[2]) - Number(upper[2])).toBeGreaterThanOrEqual(15);
  });
});

describe('the docs', () => {
  it('get their table between the markers, repeatedly', () => {
    const page =
      'before\n\n<!-- bench:audience, written by the command below -->\nold\n<!-- end of bench:audience -->\nafter\n';
    const once = replaceBetween(page, ['| new |']);
    expect(once).toContain('before');
    expect(once).toContain('| new |');
    expect(once).not.toContain('old');
    expect(replaceBetween(once, ['| new |'])).toBe(once);
    expect(() => replaceBetween('nothing', [])).toThrow('docs/performance.md has no');
  });

  it('list the cost by number of viewers, with the receive-only program where measured', () => {
    const ours = [
      { viewers: 1000, ...group(15, 30, 60_000) },
      { viewers: 3000, ...group(36, 50, 180_000) },
    ];
    const lines = growthTable({ ours, floor: [{ viewers: 1000, ...group(12, 5, 60_000) }] });
    expect(lines.slice(2)).toEqual([
      '| 1,000 | 60,000 | 15 % | 30 MB | 12 % | 1.25 |',
      '| 3,000 | 180,000 | 36 % | 50 MB |  |  |',
    ]);
  });
});
