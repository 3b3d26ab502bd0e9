import { expect, it } from 'vitest';
import { samplePlan } from '../../../tests/support/samplePlan';
import { pullProtocols, type PullProtocol } from '../model/protocols';
import { serverTimeout } from './serverTimeout';
import { audienceIn } from '../../../tests/support/pullPlan';

const of = (...protocols: PullProtocol[]) => {
  const [first = 'whep', ...others] = protocols;
  const pull = audienceIn(samplePlan({ protocol: first }));
  return { pull, also: others.map((protocol) => ({ ...pull, protocol })) };
};

it('is known by protocol', () => {
  expect(pullProtocols.filter((protocol) => serverTimeout(of(protocol)) !== undefined)).toEqual(['hls', 'dash']);
});

it('names each protocol once, also beside others', () => {
  expect(serverTimeout(of('whep', 'hls', 'hls'))).toBe("HLS sessions end by the server's timeout");
  expect(serverTimeout(of('hls', 'dash'), true)).toBe("HLS and MPEG-DASH sessions end by the server's timeout");
});

it('applies to sessions of a forced stop', () => {
  expect(serverTimeout(of('whep'), true)).toBe("sessions that were not closed end by the server's timeout");
});
