import { readFileSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { CommandRunner } from '../../src/engine/iperf/commandRunner';
import { localRunner } from '../../src/engine/iperf/localRunner';
import { measureCapacity, type CapacityOptions } from '../../src/engine/iperf/measureCapacity';
import { freePort } from './servers/freePort';
import { localLink } from './servers/localLink';
import { cleanUp, later } from './undo';
import { until } from '../support/until';

afterEach(cleanUp);

/** Like over SSH: in a shell, stopped only by closing its input. */
function remoteRunner(who: string): CommandRunner {
  const link = localLink();
  return { who, run: link.run, follow: link.follow };
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** Processes with all of these arguments. */
function processesWith(...args: readonly string[]): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return args.every((arg) => words.includes(arg));
    } catch {
      return false; // it ended meanwhile
    }
  });
}

const base = async (over: Partial<CapacityOptions> = {}): Promise<CapacityOptions & { port: number }> => ({
  server: remoteRunner('origin'),
  client: localRunner('tester'),
  serverAddress: '127.0.0.1',
  protocol: 'tcp',
  direction: 'toServer',
  seconds: 1,
  bitrateMbps: 50,
  ...over,
  port: over.port ?? (await freePort()),
});

describe('iperf3 between two hosts', () => {
  it.each([
    { protocol: 'tcp', direction: 'toServer' },
    { protocol: 'tcp', direction: 'fromServer' },
    { protocol: 'udp', direction: 'toServer' },
    { protocol: 'udp', direction: 'fromServer' },
  ] as const)('measures $protocol $direction and leaves nothing', async ({ protocol, direction }) => {
    const progress: number[] = [];
    const options = await base({ protocol, direction, onProgress: (part) => progress.push(part) });
    const capacity = await measureCapacity(options);
    expect(capacity).toMatchObject({ protocol, direction });
    expect(capacity.mbps).toBeGreaterThan(10);
    expect(capacity.mbps).toBeLessThan(100);
    expect(capacity.seconds).toBeGreaterThan(0.5);
    if (protocol === 'udp') {
      expect(capacity.lossPercent).toBeGreaterThanOrEqual(0);
      expect(capacity.jitterMs).toBeGreaterThanOrEqual(0);
      expect(capacity).not.toHaveProperty('retransmits');
    } else expect(capacity.retransmits).toBeGreaterThanOrEqual(0);
    expect(progress.at(-1)).toBe(1);
    await expect.poll(() => processesWith('-p', String(options.port)), { timeout: 10_000 }).toEqual([]);
  });

  it('names the port to open when the connection fails', async () => {
    const options = await base();
    // The server listens on another port than the client uses, which simulates a firewall.
    const server: CommandRunner = {
      who: 'origin',
      isLocal: true,
      run: localRunner('origin').run,
      follow: (argv, listeners) =>
        localRunner('origin').follow(
          argv.map((word) => (word === String(options.port) ? String(other) : word)),
          listeners,
        ),
    };
    const other = await freePort();
    await expect(measureCapacity({ ...options, server })).rejects.toMatchObject({
      code: 'port-blocked',
      message: `tester can't reach iperf3 on origin at 127.0.0.1:${options.port} (Connection refused): open TCP and UDP port ${options.port} there, then measure again.`,
    });
    expect(processesWith('-p', String(other))).toEqual([]);
  });

  it('reports a port in use', async () => {
    const options = await base();
    const taken = await listen(options.port);
    later(() => void taken.close());
    await expect(measureCapacity(options)).rejects.toMatchObject({ code: 'port-taken' });
  });

  it('reports where iperf3 is missing, and leaves nothing', async () => {
    const options = await base();
    const without: CommandRunner = {
      ...remoteRunner('tester'),
      follow: (argv, listeners) => localLink().follow(['env', 'PATH=/nowhere', '/bin/sh', ...argv.slice(1)], listeners),
    };
    const sentence =
      'iperf3 is missing on tester: install the package iperf3 there (e.g. apt install iperf3 or dnf install iperf3), then measure again.';
    await expect(measureCapacity({ ...options, client: without })).rejects.toThrow(sentence);
    await expect(
      measureCapacity({ ...options, server: { ...without, who: 'tester' }, client: localRunner('x') }),
    ).rejects.toThrow(sentence);
    expect(processesWith('-p', String(options.port))).toEqual([]);
  });

  it.each([true, false])('stops both at once when cancelled (client local: %s)', async (isLocal) => {
    const abort = new AbortController();
    const options = await base({
      seconds: 20,
      client: isLocal ? localRunner('tester') : remoteRunner('tester'),
      signal: abort.signal,
    });
    const measured = measureCapacity(options);
    const refused = expect(measured).rejects.toMatchObject({ code: 'aborted' });
    expect(await until(() => processesWith('-c', '127.0.0.1', String(options.port)).length > 0, 10_000)).toBe(true);
    abort.abort();
    await refused;
    expect(await until(() => processesWith('-p', String(options.port)).length === 0, 10_000)).toBe(true);
  });

  it.each([
    [{ seconds: 0 }, /1 to 60 whole seconds/],
    [{ seconds: 1.5 }, /1 to 60 whole seconds/],
    [{ protocol: 'udp' as const, bitrateMbps: undefined }, /UDP needs a bitrate/],
    [{ port: 70_000 }, /A port is a number/],
    [{ serverAddress: '--version' }, /"--version" is not a host address/],
  ])('does not start an impossible measurement (%#)', async (over, sentence) => {
    await expect(measureCapacity(await base(over))).rejects.toThrow(sentence);
  });
});

it('stops a remote iperf3 after its connection is lost', async () => {
  const options = await base({ seconds: 20 });
  const link = localLink();
  const measured = measureCapacity({
    ...options,
    server: { who: 'origin', run: link.run, follow: link.follow },
  });
  const failed = expect(measured).rejects.toMatchObject({ code: 'iperf3' });
  expect(await until(() => processesWith('-c', '127.0.0.1', String(options.port)).length > 0, 10_000)).toBe(true);
  link.cut('Connection reset.');
  await failed;
  expect(processesWith('-p', String(options.port))).toEqual([]);
});
