import { describe, expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import type { WcsPull, WcsStream } from '../../servers/wcs/restSchemas';
import type { PullOrder } from '../driver';
import { pullName, readPullName } from './names';
import { PullJob } from './pullJob';
import { PullViewer, pullBounds } from './pullViewer';
import type { TesterLists } from './testerPoll';

const order: PullOrder = {
  job: 'pull-1',
  protocol: 'wcs',
  url: 'ws://origin:8080',
  stream: 'cam',
  viewers: 4,
  ratePerSecond: 1000,
  maxHoldMs: 0,
  nominalFps: 25,
};
const instance = 'abcdef01';
const nameOf = (viewer: number): string => pullName({ instance, job: 1, viewer });

function streamOf(name: string, metrics: WcsStream['metrics'], status = 'PUBLISHING'): WcsStream {
  return { ...nothing, name, published: true, status, metrics };
}
const nothing = {
  mediaSessionId: undefined,
  sessionId: undefined,
  mediaProvider: undefined,
  sdp: undefined,
  videoCodec: undefined,
  audioCodec: undefined,
  width: undefined,
  height: undefined,
  fps: undefined,
  createDate: undefined,
};
function pullOf(name: string, status = 'PROCESSED_REMOTE'): WcsPull {
  return {
    localMediaSessionId: undefined,
    remoteMediaSessionId: undefined,
    localStreamName: name,
    remoteStreamName: 'cam',
    uri: order.url,
    status,
  };
}
const healthy = { VIDEO_FPS: 25, VIDEO_RATE: 240_000, AUDIO_RATE: 32_000 };

function listsOf(
  requestedMs: number,
  viewers: ReadonlyArray<readonly [number, WcsStream['metrics']]>,
  over: Partial<TesterLists> = {},
): TesterLists {
  return {
    requestedMs,
    pulls: new Map(viewers.map(([viewer]) => [nameOf(viewer), pullOf(nameOf(viewer))])),
    streams: new Map(viewers.map(([viewer, metrics]) => [nameOf(viewer), streamOf(nameOf(viewer), metrics)])),
    hasMetrics: true,
    ...over,
  };
}

/** A job whose viewers were all accepted at 100 ms. */
function taken(over: Partial<PullOrder> = {}): PullJob {
  const job = new PullJob({ ...order, ...over }, instance, 1, 0);
  for (let viewer = job.begin(50); viewer; viewer = job.begin(50 + job.present)) job.accepted(viewer, 100);
  return job;
}
const allViewers = [1, 2, 3, 4];

describe('names', () => {
  it('are parsed back, and no others', () => {
    const name = { instance, job: 3, viewer: 17 };
    expect(readPullName(pullName(name))).toEqual(name);
    for (const other of ['cam', 'fullhouse-1-2', 'fullhouse-abcdef01-1-2-x', 'my-fullhouse-abcdef01-1-2', undefined])
      expect(readPullName(other)).toBeUndefined();
  });
});

describe('a job', () => {
  it('counts only viewers with media as connected', () => {
    const job = taken();
    job.see(
      1000,
      listsOf(900, [
        [1, healthy],
        [2, {}],
        [3, { VIDEO_FPS: 0, VIDEO_RATE: 0 }],
        [4, { AUDIO_RATE: 32_000 }],
      ]),
    );
    expect(job.sample(1000, 0)).toMatchObject({ state: 'holding', connected: 2, connecting: 2, present: 4 });
    expect(job.sample(1000, 0).bitrateKbps).toBe(304);
  });

  it('uses the status where a version reports no metrics', () => {
    const job = taken();
    const streams = new Map([
      [nameOf(1), streamOf(nameOf(1), undefined)],
      [nameOf(2), streamOf(nameOf(2), undefined, 'NEW')],
    ]);
    job.see(
      1000,
      listsOf(
        900,
        allViewers.map((viewer) => [viewer, undefined] as const),
        { streams, hasMetrics: false },
      ),
    );
    expect(job.sample(1000, 0)).toMatchObject({ connected: 1, connecting: 3, degraded: 0, bitrateKbps: 0 });
    expect(job.sample(1000, 0).values).not.toHaveProperty('frameRate');
  });

  it('keeps viewers that were accepted after the list was requested, or are missing in one list', () => {
    const job = taken();
    job.see(1000, listsOf(90, []));
    job.see(2000, listsOf(1900, []));
    expect(job.sample(2000, 0)).toMatchObject({ connecting: 4, failed: 0, present: 4 });
    job.see(3000, listsOf(2900, []));
    expect(job.sample(3000, 0)).toMatchObject({
      failed: 4,
      present: 0,
      failures: [{ stage: 'signalling', cause: 'gone', count: 4 }],
    });
  });

  it('fails viewers without media in time, and ends their pulls', () => {
    const job = taken();
    const late = 100 + pullBounds.firstMediaMs;
    job.see(
      late - 1,
      listsOf(
        late - 100,
        allViewers.map((viewer) => [viewer, {}] as const),
      ),
    );
    expect(job.sample(late - 1, 0).failed).toBe(0);
    job.see(
      late,
      listsOf(
        late - 50,
        allViewers.map((viewer) => [viewer, {}] as const),
      ),
    );
    expect(job.sample(late, 0)).toMatchObject({ failed: 4, present: 4 });
    expect(job.sample(late, 0).failures).toMatchObject([{ stage: 'first-packet', cause: 'timeout' }]);
    expect(
      [job.end(late), job.end(late), job.end(late), job.end(late), job.end(late)].map((each) => each?.number),
    ).toEqual([1, 2, 3, 4, undefined]);
    // Still listed a second later: too early to retry; three seconds later it is not.
    job.see(late + 1000, listsOf(late + 900, [[1, {}]]));
    expect(job.end(late + 1000)).toBeUndefined();
    job.see(late + 3000, listsOf(late + 2900, [[1, {}]]));
    expect(job.end(late + 3000)?.number).toBe(1);
  });

  it('fails viewers after ten seconds without media', () => {
    const job = taken();
    const all = (metrics: WcsStream['metrics']) => allViewers.map((viewer) => [viewer, metrics] as const);
    job.see(1000, listsOf(900, all(healthy)));
    for (let timeMs = 2000; timeMs <= 10_000; timeMs += 1000)
      job.see(timeMs, listsOf(timeMs - 100, all({ VIDEO_FPS: 0, VIDEO_RATE: 0, AUDIO_RATE: 0 })));
    expect(job.sample(10_000, 0)).toMatchObject({ connected: 4, degraded: 4, stalls: 4, failed: 0 });
    job.see(11_000, listsOf(10_900, all({ VIDEO_FPS: 0 })));
    expect(job.sample(11_000, 0)).toMatchObject({
      failed: 4,
      degraded: 0,
      failures: [{ stage: 'media', cause: 'silent' }],
    });
  });

  it("evaluates frame rates over five seconds, against the origin's rate", () => {
    const job = taken();
    const slow = { ...healthy, VIDEO_FPS: 19 };
    for (let timeMs = 1000; timeMs <= 5000; timeMs += 1000)
      job.see(
        timeMs,
        listsOf(timeMs - 100, [
          [1, slow],
          [2, healthy],
          [3, healthy],
          [4, healthy],
        ]),
      );
    expect(job.sample(5000, 0).degraded).toBe(0);
    job.see(
      6000,
      listsOf(5900, [
        [1, slow],
        [2, healthy],
        [3, healthy],
        [4, healthy],
      ]),
    );
    expect(job.sample(6000, 0).degraded).toBe(1);
    expect(job.viewers[0]?.row()).toMatchObject({ degraded: true, degradedReason: 'frame-rate', fps: 19 });
    // The tester's own count is used where it is worse, up to the number present.
    expect(job.sample(6000, 3).degraded).toBe(3);
    expect(job.sample(6000, 9).degraded).toBe(4);
  });

  it('uses the most common frame rate where the origin reports none', () => {
    const job = taken({ nominalFps: undefined });
    for (let timeMs = 1000; timeMs <= 6000; timeMs += 1000)
      job.see(
        timeMs,
        listsOf(timeMs - 100, [
          [1, { ...healthy, VIDEO_FPS: 12 }],
          [2, healthy],
          [3, healthy],
          [4, healthy],
        ]),
      );
    expect(job.sample(6000, 0)).toMatchObject({ degraded: 1 });
    const { frameRate } = job.sample(6000, 0).distributions;
    expect(frameRate?.percentile(50)).toBeCloseTo(25, 0);
    expect(frameRate?.low).toBe(12);
  });

  it('reports what the tester lists as failed', () => {
    const job = taken();
    const pulls = new Map(
      allViewers.map((viewer) => [nameOf(viewer), pullOf(nameOf(viewer), viewer === 1 ? 'FAILED' : 'A_NEW_ONE')]),
    );
    job.see(1000, listsOf(900, [], { pulls }));
    expect(job.sample(1000, 0)).toMatchObject({
      failed: 1,
      connecting: 3,
      failures: [{ stage: 'signalling', cause: 'pull-failed' }],
    });
  });

  it('ends when no pull is listed, and not before', () => {
    const job = taken();
    job.see(
      1000,
      listsOf(
        900,
        allViewers.map((viewer) => [viewer, healthy] as const),
      ),
    );
    job.leave();
    expect(job.sample(1100, 0)).toMatchObject({ state: 'tearing-down', connected: 0, present: 4 });
    for (const _ of allViewers) job.end(1100);
    job.see(2000, listsOf(1900, [[4, healthy]]));
    expect(job.sample(2000, 0)).toMatchObject({ state: 'tearing-down', present: 1 });
    job.see(3000, listsOf(2900, []));
    expect(job.sample(3000, 0)).toMatchObject({ state: 'ended', present: 0, failed: 0 });
  });

  it('starts no waiting viewers after it was stopped', () => {
    const job = new PullJob(order, instance, 1, 0);
    const first = job.begin(0);
    job.leave();
    expect(job.begin(1000)).toBeUndefined();
    if (first) job.accepted(first, 1100);
    expect(job.end(1100)?.number).toBe(1);
    expect(job.sample(1100, 0)).toMatchObject({ state: 'tearing-down', waiting: 3, present: 1 });
  });
});

describe('an order whose response was lost', () => {
  const lost = (code: string): { job: PullJob; viewer: PullViewer } => {
    const job = new PullJob({ ...order, viewers: 1 }, instance, 1, 0);
    const viewer = job.begin(0) ?? new PullViewer(0, '');
    job.refused(viewer, new FullhouseError(code, 'It went wrong.'), 1000);
    return { job, viewer };
  };

  it('may still have been accepted: its viewer is kept until that is ruled out', () => {
    const { job, viewer } = lost('timeout');
    expect(viewer.state).toBe('failed');
    job.see(2000, listsOf(1900, []));
    job.see(3000, listsOf(2900, []));
    expect(job.present).toBe(1);
    job.see(1000 + pullBounds.unsureMs, listsOf(900 + pullBounds.unsureMs, []));
    expect(job.present).toBe(0);
  });

  it('is ended when it appears', () => {
    const { job } = lost('closed');
    job.see(20_000, listsOf(19_900, [[1, healthy]]));
    expect(job.sample(20_000, 0)).toMatchObject({ failed: 1, connected: 0, present: 1 });
    expect(job.end(20_000)?.number).toBe(1);
  });

  it('is not kept when the tester refused it', () => {
    expect(lost('http-409').job.present).toBe(0);
  });
});
