import { describe, expect, it } from 'vitest';
import { scaleAround, visibleRange, zoomRange, type AxisView } from './axisRange';
import { TimeAxis } from './timeAxis.svelte';

const view: AxisView = {
  span: 'run',
  zoom: undefined,
  live: true,
  nowMs: 124_000,
  ended: false,
  plotPx: 218,
};

describe('visibleRange', () => {
  it('ends at a round time ahead of now during the run, and exactly at its end afterwards', () => {
    expect(visibleRange(view)).toEqual({ fromMs: 0, toMs: 150_000 });
    expect(visibleRange({ ...view, ended: true })).toEqual({ fromMs: 0, toMs: 124_000 });
  });
  it('leaves little of a long run empty', () => {
    const { toMs } = visibleRange({ ...view, nowMs: 3_600_000 });
    expect(toMs).toBeGreaterThan(3_600_000);
    expect(toMs).toBeLessThan(3_600_000 * 1.15);
  });
  it('follows the last minutes, and starts at the left while the run is shorter', () => {
    expect(visibleRange({ ...view, span: '1min' })).toEqual({ fromMs: 64_000, toMs: 124_000 });
    expect(visibleRange({ ...view, span: '5min' })).toEqual({ fromMs: 0, toMs: 300_000 });
  });
  it('stays at the zoomed range, and moves once live again', () => {
    const zoom = { fromMs: 20_000, toMs: 50_000 };
    expect(visibleRange({ ...view, zoom, live: false })).toEqual(zoom);
    expect(visibleRange({ ...view, zoom })).toEqual({ fromMs: 94_000, toMs: 124_000 });
  });
});

describe('zooming', () => {
  const limits = { fromMs: 0, toMs: 150_000 };
  it('accepts a drag in either direction', () => {
    expect(zoomRange(60_000, 20_000, limits)).toEqual({ fromMs: 20_000, toMs: 60_000 });
  });
  it('is never below the minimum length and never beyond the run', () => {
    expect(zoomRange(30_000, 31_000, limits)).toEqual({ fromMs: 25_500, toMs: 35_500 });
    expect(zoomRange(0, 1000, limits)).toEqual({ fromMs: 0, toMs: 10_000 });
  });
  it('keeps the time under the crosshair in place', () => {
    expect(scaleAround({ fromMs: 0, toMs: 100_000 }, 25_000, 0.5, limits)).toEqual({
      fromMs: 12_500,
      toMs: 62_500,
    });
  });
});

describe('TimeAxis', () => {
  function axis(): TimeAxis {
    const made = new TimeAxis();
    made.nowMs = 124_000;
    made.plotPx = 218;
    return made;
  }

  it('zooms, stops following, and resets', () => {
    const made = axis();
    made.zoomTo(20_000, 60_000);
    expect(made.range).toEqual({ fromMs: 20_000, toMs: 60_000 });
    expect(made.live).toBe(false);
    made.reset();
    expect(made.range.toMs).toBe(150_000);
    expect(made.live).toBe(true);
  });

  it('zooms in towards now while live, and out again to the full run', () => {
    const made = axis();
    made.zoomIn();
    expect(made.range).toEqual({ fromMs: 49_000, toMs: 124_000 });
    expect(made.live).toBe(true);
    made.zoomOut();
    expect(made.zoom).toBeUndefined();
  });

  it('steps the crosshair by seconds from now, within the run', () => {
    const made = axis();
    made.stepCursor(-1);
    expect(made.cursorMs).toBe(123_000);
    made.stepCursor(5);
    expect(made.cursorMs).toBe(124_000);
    made.clearCursor();
    expect(made.cursorMs).toBeUndefined();
  });

  it('steps the crosshair from mark to mark and stays at the last', () => {
    const made = axis();
    const marks = [94_400, 72_000, 104_000];
    made.stepToMark(marks, -1);
    made.stepToMark(marks, -1);
    expect(made.cursorMs).toBe(94_400);
    made.stepToMark(marks, 1);
    made.stepToMark(marks, 1);
    expect(made.cursorMs).toBe(104_000);
  });

  it('makes a time outside the view visible', () => {
    const made = axis();
    made.zoomTo(0, 20_000);
    made.jumpTo(90_000);
    expect(made.range).toEqual({ fromMs: 80_000, toMs: 100_000 });
  });
});
