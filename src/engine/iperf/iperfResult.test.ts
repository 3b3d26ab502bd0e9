import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientFault, parseIperf, secondsOf, type IperfEndpoints } from './iperfResult';

const recorded = (name: string): string =>
  readFileSync(join(__dirname, '../../../tests/fixtures/iperf3', `${name}.json`), 'utf8');
const tcp = { protocol: 'tcp', direction: 'toServer' } as const;
const udp = { protocol: 'udp', direction: 'toServer' } as const;
const places: IperfEndpoints = {
  client: 'tester',
  server: 'origin',
  address: 'fd00::1',
  port: 5201,
  protocol: 'tcp',
};

describe("iperf3's result", () => {
  it('is parsed as captured', () => {
    expect(parseIperf(recorded('tcp-5s'), tcp)?.capacity).toMatchObject({ ...tcp, retransmits: 59991 });
    expect(parseIperf(recorded('tcp-5s'), tcp)?.capacity?.mbps).toBeCloseTo(17872.43, 1);
    const reverse = { ...tcp, direction: 'fromServer' } as const;
    expect(parseIperf(recorded('tcp-reverse-3s'), reverse)?.capacity).toMatchObject({
      direction: 'fromServer',
      retransmits: 30875,
    });
    expect(parseIperf(recorded('udp-200M-5s'), udp)?.capacity).toMatchObject({ lossPercent: 0 });
    expect(parseIperf(recorded('udp-200M-5s'), udp)?.capacity?.mbps).toBeCloseTo(199.97, 1);
    expect(parseIperf(recorded('udp-200M-5s'), udp)?.capacity?.jitterMs).toBeCloseTo(0.002, 3);
  });

  it.each([
    [
      'refused',
      'port-blocked',
      /can't reach iperf3 .* at \[fd00::1\]:5201 \(Connection refused\): open TCP and UDP port 5201/,
    ],
    ['server-busy', 'busy', /busy with another measurement/],
    ['interrupted', 'iperf3', /failed: interrupt - the client has terminated\./],
  ])('%s is a failure, whatever its exit code', (name, code, sentence) => {
    const error = parseIperf(recorded(name), tcp)?.error ?? '';
    const fault = clientFault(error, places);
    expect(fault.code).toBe(code);
    expect(fault.message).toMatch(sentence);
  });

  it('may be incomplete or missing', () => {
    expect(parseIperf(recorded('tcp-5s').slice(0, 900), tcp)).toBeUndefined();
    expect(parseIperf('', tcp)).toBeUndefined();
    expect(parseIperf('{"end":{}}', tcp)?.error).toBe('its result has no sum');
    expect(parseIperf(`Welcome!\n${recorded('tcp-5s')}`, tcp)?.capacity).toBeDefined();
  });

  it.each<[string, string, object]>([
    ['a loss of no datagrams', '{"seconds":5,"bits_per_second":0,"jitter_ms":nan,"lost_percent":-nan}', { mbps: 0 }],
    ['nan of other C libraries', '{"seconds":5,"bits_per_second":1e6,"lost_percent":-nan(ind)}', { mbps: 1 }],
    ['null', '{"seconds":5,"bits_per_second":1e6,"jitter_ms":null,"lost_percent":null}', { mbps: 1 }],
    ['a loss below none', '{"seconds":5,"bits_per_second":1e6,"lost_percent":-0.4}', { lossPercent: 0 }],
    ['a loss above all', '{"seconds":5,"bits_per_second":1e6,"lost_percent":104.5}', { lossPercent: 100 }],
    ['a negative jitter', '{"seconds":5,"bits_per_second":1e6,"jitter_ms":-3}', { mbps: 1 }],
    ['no bitrate but bytes', '{"seconds":4,"bytes":500000,"bits_per_second":nan}', { mbps: 1 }],
  ])('of UDP may have %s', (_, received, expected) => {
    const { capacity } =
      parseIperf(`{"start":{},"end":{"sum_received":${received}}}\nwarning: }`.replace(/ }$/, ''), udp) ?? {};
    expect(capacity).toMatchObject(expected);
    for (const value of Object.values(capacity ?? {})) expect(value).not.toBeNaN();
    expect(capacity?.jitterMs ?? 0).toBeGreaterThanOrEqual(0);
  });

  it('of which nothing arrived is an error, and in old versions no rate below zero', () => {
    expect(parseIperf('{"end":{"sum_received":{"seconds":0,"bits_per_second":nan}}}', udp)?.error).toMatch(
      /no bitrate/,
    );
    expect(
      parseIperf('{"end":{"sum":{"seconds":5,"bits_per_second":1e6,"lost_percent":130}}}', udp)?.capacity,
    ).toMatchObject({ mbps: 0, lossPercent: 100 });
  });

  it('has one sum for UDP in old versions, of what was sent', () => {
    const old = { end: { sum: { seconds: 5, bits_per_second: 200e6, lost_percent: 25, jitter_ms: 1 } } };
    expect(parseIperf(JSON.stringify(old), udp)?.capacity).toMatchObject({ mbps: 150, lossPercent: 25 });
  });
});

it('recognises a closed UDP port while TCP is open', () => {
  const fault = clientFault('unable to read from stream socket: Resource temporarily unavailable', {
    ...places,
    protocol: 'udp',
  });
  expect(fault.message).toMatch(/reaches \[fd00::1\]:5201 on .* over TCP but not over UDP .*open UDP port 5201 too/);
});

it("reports progress by the server's lines", () => {
  expect(secondsOf('[  5]   1.00-2.00   sec  2.35 GBytes  20.2 Gbits/sec')).toBe(2);
  expect(secondsOf('[ ID] Interval           Transfer     Bitrate')).toBeUndefined();
});
