import { createConnection, createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { agentProtocolVersion } from '../../src/contract/agentProtocol';
import type { AgentRecord } from '../../src/contract/agentSample';
import { type AgentLink } from '../../src/engine/links/agentLink';
import { openAgentLink } from '../../src/engine/links/webSocketLink';
import { localAgentBinary, startLocalAgent, type LocalAgent } from '../../src/engine/links/localAgent';
import { sampleRecord, startStandinAgent } from '../standins/agent';
import { startCuttableProxy } from '../standins/cuttableProxy';
import { until } from '../support/until';
import { agentFolder, cleanUp, exists, later } from './support';

afterEach(cleanUp);

async function realAgent(args: readonly string[] = []): Promise<LocalAgent> {
  const agent = await startLocalAgent({ binary: localAgentBinary(agentFolder), role: 'audience', args });
  later(async () => void (await agent.end(undefined, true)));
  return agent;
}

async function linkTo(
  address: string,
  token = 'x'.repeat(32),
  ranBefore = false,
): Promise<{ link: AgentLink; records: AgentRecord[]; problems: string[] }> {
  const link = await openAgentLink({
    address: () => address,
    token,
    who: 'The audience',
    version: '0.1.0',
    pingEveryMs: 300,
    ranBefore,
  });
  later(() => link.close());
  const records: AgentRecord[] = [];
  const problems: string[] = [];
  link.onRecord((record) => records.push(record));
  link.onProblem((sentence) => problems.push(sentence));
  return { link, records, problems };
}

const sequences = (records: readonly AgentRecord[]): number[] => records.map(({ sequence }) => sequence);
const countingFrom = (first: number, length: number): number[] => Array.from({ length }, (_, i) => first + i);

describe('an interrupted link', () => {
  it('reconnects and delivers every record once', async () => {
    const agent = await realAgent();
    const proxy = await startCuttableProxy(agent.listening.address);
    later(() => proxy.close());
    const { link, records, problems } = await linkTo(proxy.address, agent.token);
    const states: string[] = [];
    link.onState((state) => states.push(state));
    await until(() => records.length >= 2, 10_000);
    const cuts: Array<{ fromMs: number; toMs: number }> = [];
    for (let time = 0; time < 2; time += 1) {
      proxy.cut();
      expect(await until(() => link.state === 'lost', 20_000)).toBe(true);
      const fromMs = Date.now();
      await expect(link.request('ping', {})).rejects.toMatchObject({ code: 'link-lost' });
      await new Promise((resolve) => setTimeout(resolve, 2500));
      cuts.push({ fromMs, toMs: Date.now() });
      proxy.restore();
      expect(await until(() => link.state === 'live', 20_000)).toBe(true);
    }
    const before = records.length;
    expect(await until(() => records.length >= before + 2, 20_000)).toBe(true);
    expect(sequences(records)).toEqual(countingFrom(records[0]?.sequence ?? 0, records.length));
    for (const { fromMs, toMs } of cuts)
      expect(
        records.filter(({ timeMs }) => timeMs > fromMs && timeMs < toMs),
        'records from while it was cut',
      ).not.toEqual([]);
    expect(problems).toEqual([]);
    expect(states).toEqual(['lost', 'live', 'lost', 'live']);
  });

  it('starts from the beginning with a restarted agent', async () => {
    const standin = await startStandinAgent({ protocol: agentProtocolVersion, records: 3 });
    later(() => standin.close());
    const { link, records, problems } = await linkTo(standin.address);
    expect(await until(() => records.length === 3, 20_000)).toBe(true);
    standin.restart('second', 2);
    await until(() => link.hello.instance === 'second' && records.length === 5, 20_000);
    expect(sequences(records)).toEqual([1, 2, 3, 1, 2]);
    expect(standin.hellos.map(({ resumeAfter }) => resumeAfter)).toEqual([0, 3, 0]);
    expect(problems).toEqual(['The audience was restarted.']);
  });
});

it('delivers nothing from before the link of an agent that ran already, and resumes after a break', async () => {
  const agent = await realAgent(['--idle-timeout', '60s']);
  const earlier = await linkTo(agent.listening.address, agent.token);
  await until(() => earlier.records.length >= 2, 10_000);
  const proxy = await startCuttableProxy(agent.listening.address);
  later(() => proxy.close());
  const { link, records, problems } = await linkTo(proxy.address, agent.token, true);
  const before = link.hello.latestSequence;
  expect(before).toBeGreaterThanOrEqual(2);
  await until(() => records.length >= 1, 10_000);
  proxy.cut();
  expect(await until(() => link.state === 'lost', 20_000)).toBe(true);
  await until(() => (earlier.records.at(-1)?.sequence ?? 0) >= before + 3, 10_000);
  proxy.restore();
  expect(await until(() => records.length >= 4, 20_000)).toBe(true);
  expect(sequences(records)).toEqual(countingFrom(before + 1, records.length));
  expect(problems).toEqual([]);
});

describe('an unexpected agent', () => {
  it('of another protocol version is reported in a sentence with both versions', async () => {
    const standin = await startStandinAgent({ protocol: 99 });
    later(() => standin.close());
    await expect(linkTo(standin.address)).rejects.toMatchObject({
      code: 'protocol-mismatch',
      message: expect.stringMatching(/9\.9\.9 with protocol 99; this Fullhouse 0\.1\.0 uses protocol \d/) as string,
    });
  });

  it('sends neither its token nor a request to a program that took the port of its agent', async () => {
    const received: string[] = [];
    const impostor = await startStandinAgent({ protocol: agentProtocolVersion, token: 'another-token-0123456789' });
    const seen = createServer((socket) => {
      const inner = createConnection(Number(impostor.address.split(':')[1]), '127.0.0.1');
      socket.on('data', (data) => received.push(data.toString('latin1')));
      socket.on('error', () => inner.destroy());
      inner.on('error', () => socket.destroy());
      socket.pipe(inner).pipe(socket);
    });
    await new Promise<void>((resolve) => seen.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${(seen.address() as AddressInfo).port}`;
    await expect(linkTo(address)).rejects.toMatchObject({
      code: 'token-refused',
      message: expect.stringContaining('another program that took its port') as string,
    });
    expect(received.join('')).toContain('Fullhouse ');
    expect(received.join('')).not.toContain('x'.repeat(32));
    expect(impostor.hellos).toEqual([]);
    await new Promise((resolve) => seen.close(resolve));
    await impostor.close();
  });

  it('with another token is refused by the real agent', async () => {
    const agent = await realAgent();
    await expect(linkTo(agent.listening.address)).rejects.toMatchObject({ code: 'token-refused' });
  });

  it('that is missing is a sentence with its address', async () => {
    await expect(linkTo('127.0.0.1:1')).rejects.toThrow(/The audience can't be reached at 127\.0\.0\.1:1/);
  });

  it('that sends invalid messages is reported, and valid ones are processed', async () => {
    const standin = await startStandinAgent({ protocol: agentProtocolVersion });
    later(() => standin.close());
    const { records, problems } = await linkTo(standin.address);
    standin.send('{"type":"record","sequence":1}');
    standin.send('not JSON');
    standin.send(sampleRecord(1));
    expect(await until(() => records.length === 1, 20_000)).toBe(true);
    expect(problems).toHaveLength(2);
  });
});

describe('the agent’s process', () => {
  it('reports a port in use in one sentence', async () => {
    const first = await realAgent();
    await expect(realAgent(['--listen', first.listening.address])).rejects.toThrow(
      new RegExp(`${first.listening.address.replace(/\./g, '\\.')}.*address already in use`),
    );
  });

  it('that is missing names the command that builds it', async () => {
    await expect(startLocalAgent({ binary: localAgentBinary('/nowhere'), role: 'lab' })).rejects.toThrow(/npm start/);
  });

  it('exits on request', async () => {
    const agent = await realAgent();
    const { link } = await linkTo(agent.listening.address, agent.token);
    const exit = await agent.end(() => link.request('shutdown', {}));
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exists(agent.pid)).toBe(false);
  });

  it('exits without a console', async () => {
    const agent = await realAgent(['--idle-timeout', '4s']);
    const { link } = await linkTo(agent.listening.address, agent.token);
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect(agent.alive()).toBe(true);
    link.close();
    const exit = await agent.exited;
    expect(exit.sentence).toMatch(/No console connected/);
    expect(exists(agent.pid)).toBe(false);
  });
});
