import { describe, expect, it } from 'vitest';
import { connectEngine, FullhouseError, serveEngine, type Handlers } from './calls';
import { engineCalls, type EngineCallName } from './engine';
import type { Wire, WireMessage } from './wire';

/** Two ends of an in-memory port that delivers asynchronously, like a real one. */
function wirePair(): [Wire, Wire] {
  const listeners: [Array<(message: unknown) => void>, Array<(message: unknown) => void>] = [[], []];
  const end = (own: 0 | 1): Wire => ({
    send: (message: WireMessage) =>
      queueMicrotask(() => listeners[own === 0 ? 1 : 0].forEach((listener) => listener(structuredClone(message)))),
    onMessage: (listener) => void listeners[own].push(listener),
  });
  return [end(0), end(1)];
}

function connected(handlers: Partial<Handlers<EngineCallName>>) {
  const [engineEnd, windowEnd] = wirePair();
  const engine = serveEngine(engineEnd, engineCalls, handlers as Handlers<EngineCallName>);
  return { engine, client: connectEngine<EngineCallName>(windowEnd, engineCalls), windowEnd };
}

describe('the contract over a message port', () => {
  it('transports input and result', async () => {
    const { client } = connected({ 'runs.stopAll': ({ force }) => ({ present: force ? 0 : 412 }) });
    expect(await client.call('runs.stopAll', { force: false })).toEqual({ present: 412 });
    expect(await client.call('runs.stopAll', { force: true })).toEqual({ present: 0 });
  });

  it('rejects invalid input before the handler runs, and names the field', async () => {
    let seen = 0;
    const { client } = connected({
      'runs.stopAll': () => {
        seen += 1;
        return { present: 0 };
      },
    });
    await expect(client.call('runs.stopAll', { force: 'yes' } as never)).rejects.toThrow(
      /^Invalid input for runs\.stopAll: force: .*\.$/,
    );
    await expect(client.call('runs.stopAll', { force: true, forse: true } as never)).rejects.toThrow(/forse/);
    expect(seen).toBe(0);
  });

  it('reports a custom rule in its own sentence, without the field', async () => {
    const { client } = connected({});
    await expect(client.call('player.address', { node: 'lab', stream: '' })).rejects.toThrow(/^Name the stream\.$/);
    await expect(client.call('player.address', { node: 'no such node', stream: 'cam' })).rejects.toThrow(
      /^A node name has 1 to 64 letters/,
    );
  });

  it('rejects a call that is not in the contract', async () => {
    const { client } = connected({});
    await expect(client.call('constructor' as never, {} as never)).rejects.toThrow(/no call "constructor"/);
  });

  it('passes a handler error on as a sentence with its code', async () => {
    const { client } = connected({
      'lab.start': () => {
        throw new FullhouseError('port-taken', 'Port 8890 is taken. Stop the other program or choose another port.');
      },
    });
    const failure = client.call('lab.start', {});
    await expect(failure).rejects.toMatchObject({ code: 'port-taken', message: /Port 8890 is taken/ });
  });

  it('takes a time with fractions of a ms, as of performance.timeOrigin, as whole ms', async () => {
    const times: unknown[] = [];
    const { client } = connected({
      'runs.saveStill': ({ timeMs = 0, mime }) => {
        times.push(timeMs);
        return { id: 1, timeMs, cause: 'freeze', mime, bytes: 1 };
      },
      'runs.note': ({ timeMs = 0, text }) => {
        times.push(timeMs);
        return { id: 1, timeMs, kind: 'note', mark: 'note', who: 'you', sentence: text };
      },
    });
    const clip = { run: 'a', cause: 'freeze', mime: 'video/webm' as const, data: new Uint8Array(1) };
    await expect(client.call('runs.saveStill', { ...clip, timeMs: 1_795_170_000_123.4 })).resolves.toBeDefined();
    await expect(client.call('runs.note', { run: 'a', text: 'x', timeMs: 1_795_170_000_123.6 })).resolves.toBeDefined();
    expect(times).toEqual([1_795_170_000_123, 1_795_170_000_124]);
  });

  it('rejects a result that violates the contract', async () => {
    const { client } = connected({ 'runs.stopAll': () => ({ present: 'none' }) as never });
    await expect(client.call('runs.stopAll', { force: false })).rejects.toMatchObject({ code: 'bad-answer' });
  });

  it('delivers events until the subscription ends', async () => {
    const { engine, client } = connected({});
    const seen: number[] = [];
    const end = client.on('samples', (batch) => seen.push(...batch.value));
    const batch = {
      keys: [{ node: 'origin', series: 'cpuPercent' as const }],
      key: [0],
      timeMs: [1],
      value: [42],
    };
    engine.push('samples', batch);
    await Promise.resolve();
    end();
    engine.push('samples', batch);
    await Promise.resolve();
    expect(seen).toEqual([42]);
  });
});
