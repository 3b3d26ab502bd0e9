import { emptyResource } from '@opentelemetry/resources';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { describe, expect, it } from 'vitest';
import { VirtualTime } from '../../../../tests/support/virtualTime';
import { OtlpPush } from './otlpPush';
import { plainTextWarning, reasonOf } from './startOtlp';

const metrics: ResourceMetrics = { resource: emptyResource(), scopeMetrics: [] };

/** A push every 5 s whose exports end when the test says so. */
function pushing() {
  const { clock, pass } = new VirtualTime();
  const said: string[] = [];
  const collected: string[] = [];
  const open: Array<(failure?: string) => void> = [];
  const push = new OtlpPush({
    ...{ url: 'http://c/v1/metrics', everyMs: 5000, clock, say: (sentence: string) => said.push(sentence) },
    send: () => new Promise((resolve) => open.push(resolve)),
    collect: (which) => {
      collected.push(which);
      return metrics;
    },
  });
  const end = async (failure?: string): Promise<void> => {
    open.shift()?.(failure);
    await pass(0);
  };
  return { push, pass, said, collected, end };
}

describe('the push', () => {
  it('never overlaps with itself, and ends', async () => {
    const { push, pass, collected, end } = pushing();
    await pass(15_000);
    expect(collected).toEqual(['active']);
    await end();
    await pass(5000);
    expect(collected).toEqual(['active', 'active']);
    await end();
    push.stop();
    await pass(60_000);
    expect(collected.length).toBe(2);
  });

  it('reports a failure once, and its end', async () => {
    const { pass, said, end } = pushing();
    for (const failure of ['HTTP 401', 'HTTP 401', undefined, undefined]) {
      await pass(5000);
      await end(failure);
    }
    expect(said).toEqual([
      'OTLP: metrics could not be sent to http://c/v1/metrics: HTTP 401. The run continues; retrying every 5 s.',
      'OTLP: metrics are being sent to http://c/v1/metrics again.',
    ]);
  });

  it('sends the last figures after what is being sent', async () => {
    const { push, pass, said, collected, end } = pushing();
    await pass(5000);
    const flushed = push.flush();
    await pass(0);
    expect(collected).toEqual(['active']);
    await end();
    expect(collected).toEqual(['active', 'ended']);
    await end();
    await flushed;
    expect(said).toEqual([]);
  });

  it('waits 15 s at the end, not longer', async () => {
    const { push, pass, said } = pushing();
    let isOver = false;
    void push.flush().then(() => (isOver = true));
    await pass(14_900);
    expect(isOver).toBe(false);
    await pass(200);
    await pass(0);
    expect(isOver).toBe(true);
    expect(said).toEqual([
      'OTLP: the last metrics of the run could not be sent to http://c/v1/metrics: no response within 15 s. The saved run contains all of them.',
    ]);
  });
});

it.each([
  [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'the connection was refused'],
  [Object.assign(new Error('Unauthorized'), { code: 401 }), 'HTTP 401 (Unauthorized)'],
  [new Error('Request timed out'), 'no response in time'],
  [
    new Error('Export failed with retryable status'),
    'the receiver is overloaded or unavailable (HTTP 429, 502, 503 or 504)',
  ],
])('names the reason of a failure: %s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});

it.each([
  [
    'http://collector.example:4318/v1/metrics',
    'OTEL_EXPORTER_OTLP_HEADERS',
    /sent to collector\.example:4318 without encryption/,
  ],
  ['http://10.0.0.5/v1/metrics', 'OTEL_EXPORTER_OTLP_METRICS_HEADERS', /OTEL_EXPORTER_OTLP_METRICS_HEADERS/],
  ['https://collector.example/v1/metrics', 'OTEL_EXPORTER_OTLP_HEADERS', undefined],
  ['http://127.0.0.1:4318/v1/metrics', 'OTEL_EXPORTER_OTLP_HEADERS', undefined],
  ['http://collector.example:4318/v1/metrics', 'OTHER', undefined],
])('credentials for %s in %s are reported if they pass a network unencrypted', (url, name, warning) => {
  const sentence = plainTextWarning(url, { [name]: 'api-key=starling-12' });
  if (warning === undefined) expect(sentence).toBeUndefined();
  else expect(sentence).toMatch(warning);
  expect(sentence ?? '').not.toContain('starling');
});
