import { describe, expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import type { HelloResult } from '../../../contract/agentCalls';
import type { ClockView } from '../../../domain/model/node';
import type { AgentLink } from '../../links/agentLink';
import type { PullOrder } from '../driver';
import { agentDriver } from './agentDriver';
import { markedNames } from './jobNames';

const order: PullOrder = {
  job: 'pull-1',
  protocol: 'whep',
  url: 'http://10.0.0.9/whep/cam',
  stream: 'cam',
  viewers: 10,
  ratePerSecond: 5,
  maxHoldMs: 1000,
};
const row = { viewer: 1, state: 'connected', packets: 9, bytes: 9, lost: 0, lossPercent: 0 };

const counts = { state: 'holding', requested: 10, connected: 10, packetsPerSecond: 440, bitrateKbps: 1270 };

/** An agent that accepts everything, and the requests it got. */
function agent(protocols?: string[]): { link: AgentLink; requests: { call: string; params: unknown }[] } {
  const requests: { call: string; params: unknown }[] = [];
  const link = {
    hello: { protocols } as HelloResult,
    request: (call: string, params: unknown) => {
      requests.push({ call, params });
      return Promise.resolve(call === 'audience.viewers' ? { total: 1, viewers: [row] } : {});
    },
  } as unknown as AgentLink;
  return { link, requests };
}

describe('the agent as a driver', () => {
  it('supports the protocols that both the agent and the console know', () => {
    expect(agentDriver(agent(['whep', 'rtmp', 'other']).link).protocols).toEqual(['whep', 'rtmp']);
    expect(agentDriver(agent(['livekit', 'whep']).link).protocols).toEqual(['whep', 'livekit']);
    expect(agentDriver(agent(['whep']).link).protocols).toEqual(['whep']);
    // Agents of versions that did not report them.
    expect(agentDriver(agent().link).protocols).toEqual(['whep']);
  });

  it('requests browser fidelity only when configured: an agent rejects unknown fields', async () => {
    const { link, requests } = agent();
    const driver = agentDriver(link, markedNames('mark'));
    await driver.start(order);
    await driver.start({ ...order, fidelity: 'media-only' });
    await driver.start({ ...order, fidelity: 'browser' });
    expect(requests.map(({ params }) => (params as { fidelity?: string }).fidelity)).toEqual([
      undefined,
      undefined,
      'browser',
    ]);
    expect(requests[0]?.params).toMatchObject({ job: 'pull-1@mark', protocol: 'whep', holdMs: 1000 });
  });

  it('passes on how the server is trusted and logged in to, only where configured', async () => {
    const { link, requests } = agent();
    const driver = agentDriver(link, markedNames('mark'));
    const trust = { selfSigned: true, login: { user: 'viewer', password: 'secret' } };
    await driver.start({ ...order, ...trust });
    await driver.start({ ...order, selfSigned: false });
    expect(requests[0]?.params).toMatchObject(trust);
    expect(Object.keys(requests[1]?.params as object)).not.toEqual(expect.arrayContaining(['selfSigned']));
    expect(Object.keys(requests[1]?.params as object)).not.toEqual(expect.arrayContaining(['login']));
  });

  it('adds to the clock of a publication how well it is known', () => {
    let take = (_record: unknown): void => undefined;
    const { link } = agent();
    const listening = {
      ...link,
      remoteClock: undefined as ClockView | undefined,
      onRecord: (listener: typeof take) => (take = listener),
    };
    const clocks: unknown[] = [];
    agentDriver(listening as unknown as AgentLink).publisher?.onSample(([publication]) =>
      clocks.push(publication?.mediaClock),
    );
    const mediaClock = { startMs: 1000, sinceMs: 1000, durationMs: 12_000 };
    const sample = { publications: [{ job: 'publish-1', state: 'live', mediaClock }] };
    take({ kind: 'sample', timeMs: 5000, sample });
    listening.remoteClock = { offsetMs: 30, uncertaintyMs: 2 };
    take({ kind: 'sample', timeMs: 6000, sample });
    // Whole ms at both ends add 1 ms.
    expect(clocks).toEqual([undefined, { ...mediaClock, untilMs: 6000, uncertaintyMs: 3 }]);
  });

  it('requests ICE over TCP and audio only when configured', async () => {
    const { link, requests } = agent();
    const driver = agentDriver(link);
    await driver.start({ ...order, transport: 'udp', tracks: 'audio-video' });
    await driver.start({ ...order, transport: 'tcp', tracks: 'audio' });
    expect(requests[0]?.params).not.toHaveProperty('transport');
    expect(requests[0]?.params).not.toHaveProperty('tracks');
    expect(requests[1]?.params).toMatchObject({ transport: 'tcp', tracks: 'audio' });
  });

  it('names the stream only to WCS, where the address is that of the server', async () => {
    const { link, requests } = agent(['whep', 'wcs']);
    await agentDriver(link).start({ ...order, protocol: 'wcs', url: 'ws://10.0.0.9:8080' });
    await agentDriver(link).start({ ...order, job: 'pull-2' });
    expect(requests[0]?.params).toMatchObject({ protocol: 'wcs', url: 'ws://10.0.0.9:8080', stream: order.stream });
    expect(requests[1]?.params).not.toHaveProperty('stream');
  });

  it('passes on a token per viewer, and rejects more than one order can contain', async () => {
    const { link, requests } = agent(['livekit']);
    const room: PullOrder = { ...order, protocol: 'livekit', url: 'ws://10.0.0.9:7880', tokens: ['a', 'b'] };
    await agentDriver(link).start({ ...room, viewers: 2 });
    expect(requests[0]?.params).toMatchObject({ protocol: 'livekit', tokens: ['a', 'b'] });
    const tokens = Array<string>(3000).fill('x'.repeat(397));
    await expect(agentDriver(link).start({ ...room, viewers: 3000, tokens })).rejects.toMatchObject({
      code: 'too-many-tokens',
      message:
        '3000 viewers with a token each are too many for one request to an agent; start at most about 2500 at once on one tester, or add testers.',
    });
    expect(requests).toHaveLength(1);
  });

  it('reports no loss figure for RTMP viewers instead of 0', async () => {
    const driver = agentDriver(agent(['whep', 'rtmp']).link);
    await driver.start({ ...order, protocol: 'rtmp', url: 'rtmp://10.0.0.9/live/cam' });
    await driver.start({ ...order, job: 'pull-2' });
    const lossOf = async (job: string): Promise<unknown> => (await driver.viewers(job, 0, 10)).viewers[0]?.lossPercent;
    expect(await lossOf('pull-1')).toBeUndefined();
    expect(await lossOf('pull-2')).toBe(0);
  });

  it('reports no packets of viewers over TCP, where the agent counts its reads', async () => {
    const { link } = agent(['whep', 'rtmp']);
    const driver = agentDriver({
      ...link,
      onRecord: (listener: (record: unknown) => void) => {
        listener({
          kind: 'sample',
          timeMs: 1,
          sample: {
            jobs: [
              { job: 'pull-1', ...counts },
              { job: 'pull-2', ...counts },
            ],
          },
        });
        return () => undefined;
      },
    } as unknown as AgentLink);
    await driver.start({ ...order, protocol: 'rtmp', url: 'rtmp://10.0.0.9/live/cam' });
    const packets: unknown[] = [];
    driver.onSample((samples) => packets.push(...samples.map(({ job, packetsPerSecond }) => [job, packetsPerSecond])));
    expect(packets).toEqual([
      ['pull-1', undefined],
      ['pull-2', 440],
    ]);
  });

  it('reports that an older agent has no details of single viewers', async () => {
    const refusing = (code: string): AgentLink =>
      ({
        hello: { protocols: ['whep'] } as HelloResult,
        request: () => Promise.reject(new FullhouseError(code, 'The audience has no call.')),
      }) as unknown as AgentLink;
    await expect(agentDriver(refusing('unknown-call')).viewer?.('pull-1', 3)).rejects.toMatchObject({
      code: 'no-viewer-detail',
      message: expect.stringMatching(/its agent is older\. Update the agent/) as string,
    });
    await expect(agentDriver(refusing('no-job')).viewer?.('pull-1', 3)).rejects.toMatchObject({
      code: 'no-job',
    });
  });
});
