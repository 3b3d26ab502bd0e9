import { describe, expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import type { HttpLink } from '../../links/http/httpLink';
import { metricsSource, type MetricsSource } from './metricsSource';

const idle = 'livekit_room_total{node_id="ND_1"} 0\n';

/** A source whose endpoint returns `text`, or does not respond while that is undefined. */
function sourceOf(): {
  readonly source: MetricsSource;
  requestCount: number;
  text: string | undefined;
  nowMs: number;
} {
  const silence = (): Promise<never> =>
    Promise.reject(new FullhouseError('refused', 'sfu: nothing listens at http://sfu:6789.'));
  const made = { requestCount: 0, text: undefined as string | undefined, nowMs: 0 };
  const http: HttpLink = {
    request: silence,
    json: silence,
    text: () => {
      made.requestCount += 1;
      return made.text === undefined ? silence() : Promise.resolve(made.text);
    },
    close: () => undefined,
  };
  const clock = { now: () => made.nowMs, monotonic: () => performance.now() };
  const source = metricsSource({ who: 'sfu', http, url: 'http://sfu:6789/metrics', clock });
  return Object.assign(made, { source });
}

describe('a metrics endpoint', () => {
  it('that never responded is retried after half a minute, or on request', async () => {
    const made = sourceOf();
    for (let second = 0; second < 30; second += 1) {
      made.nowMs = second * 1000;
      expect(await made.source.read(false)).toBeUndefined();
    }
    expect(made.requestCount).toBe(1);
    await made.source.read(true);
    expect(made.requestCount).toBe(2);
    made.nowMs += 30_000;
    made.text = idle;
    expect(await made.source.read(false)).toMatchObject({ rooms: 0 });
  });

  it('that responded before is read at each poll: one slow response loses no half minute of figures', async () => {
    const made = sourceOf();
    made.text = idle;
    await made.source.read(false);
    made.text = undefined;
    expect(await made.source.read(false)).toBeUndefined();
    made.text = idle;
    expect(await made.source.read(false)).toMatchObject({ rooms: 0 });
  });

  it('reports why there are no metrics, and rejects those of another program', async () => {
    const made = sourceOf();
    await made.source.read(true);
    expect(made.source.trouble()).toBe('nothing listens at http://sfu:6789');
    made.text = 'node_load1 0.5\nprocess_cpu_seconds_total 1\n';
    expect(await made.source.read(true)).toBeUndefined();
    expect(made.source.trouble()).toBe("the metrics at http://sfu:6789/metrics are not LiveKit's");
    made.text = '<html></html>';
    await made.source.read(true);
    expect(made.source.trouble()).toContain('a web page');
    made.text = idle;
    await made.source.read(true);
    expect(made.source.trouble()).toBeUndefined();
  });
});
