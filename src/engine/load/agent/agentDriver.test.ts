import { describe, expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import type { HelloResult } from '../../../contract/agentProtocol';
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
  mostHoldMs: 1000,
};
const row = { viewer: 1, state: 'connected', packets: 9, bytes: 9, lost: 0, lossPercent: 0 };

/** An agent that takes everything, and what it was asked. */
function agent(protocols?: string[]): { link: AgentLink; asked: { call: string; params: unknown }[] } {
  const asked: { call: string; params: unknown }[] = [];
  const link = {
    hello: { protocols } as HelloResult,
    request: (call: string, params: unknown) => {
      asked.push({ call, params });
      return Promise.resolve(call === 'audience.viewers' ? { total: 1, viewers: [row] } : {});
    },
  } as unknown as AgentLink;
  return { link, asked };
}

describe('the agent as a driver', () => {
  it('pulls by what the agent says that it can, and of what we know', () => {
    expect(agentDriver(agent(['whep', 'rtmp', 'srt']).link).protocols).toEqual(['whep', 'rtmp']);
    expect(agentDriver(agent(['livekit', 'whep']).link).protocols).toEqual(['whep', 'livekit']);
    expect(agentDriver(agent(['whep']).link).protocols).toEqual(['whep']);
    // Agents of versions that did not say.
    expect(agentDriver(agent().link).protocols).toEqual(['whep']);
  });

  it('asks for more realism than usual only when it is wanted: an agent refuses what it does not know', async () => {
    const { link, asked } = agent();
    const driver = agentDriver(link, markedNames('mark'));
    await driver.start(order);
    await driver.start({ ...order, realism: 'lean' });
    await driver.start({ ...order, realism: 'full' });
    expect(asked.map(({ params }) => (params as { realism?: string }).realism)).toEqual([
      undefined,
      undefined,
      'full',
    ]);
    expect(asked[0]?.params).toMatchObject({ job: 'pull-1@mark', protocol: 'whep', holdMs: 1000 });
  });

  it("does not speak WCS's signalling", async () => {
    await expect(agentDriver(agent().link).start({ ...order, protocol: 'wcs' })).rejects.toMatchObject({
      code: 'no-protocol',
    });
  });

  it('hands on a token for each viewer, and refuses more than one order holds', async () => {
    const { link, asked } = agent(['livekit']);
    const room: PullOrder = { ...order, protocol: 'livekit', url: 'ws://10.0.0.9:7880', tokens: ['a', 'b'] };
    await agentDriver(link).start({ ...room, viewers: 2 });
    expect(asked[0]?.params).toMatchObject({ protocol: 'livekit', tokens: ['a', 'b'] });
    const tokens = Array<string>(3000).fill('x'.repeat(397));
    await expect(agentDriver(link).start({ ...room, viewers: 3000, tokens })).rejects.toMatchObject({
      code: 'too-many-tokens',
      message:
        '3000 viewers are too many for one order to an agent, since each needs a token of its own; let at most about 2500 come at once to one tester, or add testers.',
    });
    expect(asked).toHaveLength(1);
  });

  it('has no loss of viewers by RTMP, rather than none lost', async () => {
    const driver = agentDriver(agent(['whep', 'rtmp']).link);
    await driver.start({ ...order, protocol: 'rtmp', url: 'rtmp://10.0.0.9/live/cam' });
    await driver.start({ ...order, job: 'pull-2' });
    const lossOf = async (job: string): Promise<unknown> =>
      (await driver.viewers(job, 0, 10)).viewers[0]?.lossPercent;
    expect(await lossOf('pull-1')).toBeUndefined();
    expect(await lossOf('pull-2')).toBe(0);
  });

  it('tells in a sentence that an older agent has no details of single viewers', async () => {
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
