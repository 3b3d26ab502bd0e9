import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { endingOf } from '../../src/domain/run/runEnding';
import { startLab } from './servers/lab';
import { cleanUp, ended, engineInTemporaryFolder, later, noTokens, planOf } from './support';
import { audienceIn } from '../support/pullPlan';

afterAll(cleanUp);

/** Passes WHIP and WHEP on to a server, and lists nothing. */
async function startSilentServer(base: string): Promise<{ readonly base: string; readonly whips: () => number }> {
  let whips = 0;
  const server = createServer((request, response) => {
    if (request.method === 'GET' || request.method === 'HEAD') return void response.writeHead(405).end();
    if (request.method === 'POST' && request.url?.startsWith('/whip/')) whips += 1;
    const { method, headers, url = '/' } = request;
    const onwards = httpRequest(new URL(url, base), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onwards.on('error', () => response.destroy());
    request.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, whips: () => whips };
}

// Concurrent: each mostly waits.
describe.concurrent('several audiences', () => {
  it('do not start if one of them can not: it is named, and the viewers of all are requested', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    const first = planOf({ viewers: 10, ratePerSecond: 20, holdMs: 2000 });
    await engine.client.call('runs.start', {
      plan: { ...first, also: [{ ...audienceIn(first), tokens: noTokens, viewers: 30, label: 'phones' }] },
      allowHooks: true,
    });
    const view = await done;
    expect(view.figures).toMatchObject({ requested: 40, connectedPeak: 0 });
    expect(view.verdict?.verdict).toBe('not-started');
    expect(endingOf(view)).toMatchObject({ kind: 'not-started' });
    expect(view.verdict?.sentence).toMatch(
      /^The run could not be started: Audience phones: The command of the tokens, .* failed/,
    );
  });

  it('pull a stream that is published once, also from a server that lists none', async () => {
    const { base } = await startLab();
    const silent = await startSilentServer(base);
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    const first = planOf({ viewers: 3, ratePerSecond: 20, holdMs: 2000, label: 'a' });
    await engine.client.call('runs.start', {
      plan: {
        ...first,
        nodes: {
          origin: { server: 'generic', whep: `${silent.base}/whep/{stream}`, whip: `${silent.base}/whip/{stream}` },
          audience: { tester: 'local' },
        },
        also: ['b', 'c'].map((label) => ({ ...audienceIn(first), label })),
      },
    });
    const view = await done;
    expect(view.figures, view.verdict?.sentence).toMatchObject({ requested: 9, connectedPeak: 9, failed: 0 });
    expect(silent.whips()).toBe(1);
  });

  it('are each judged at their own end: one that fails at once does not end the others', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    const good = planOf({ viewers: 20, ratePerSecond: 10, holdMs: 5000, label: 'good' });
    const short = { ...audienceIn(good), viewers: 5, ratePerSecond: 50, holdMs: 2000, label: 'short' };
    const bad = { ...audienceIn(good), viewers: 2, stream: 'missing', label: 'bad' };
    await engine.client.call('runs.start', { plan: { ...good, also: [short, bad] } });
    const view = await done;
    expect(endingOf(view)).toMatchObject({ kind: 'plan' });
    expect(view.figures).toMatchObject({ requested: 27, connectedPeak: 25, failed: 2 });
    expect(view.failures).toMatchObject([{ audience: 'bad', stage: 'signalling', cause: 'http-404', count: 2 }]);
    const { verdict, sentence, reasons, headroom, audiences } = view.verdict ?? {};
    expect(verdict).toBe('fail');
    const ofBad = '0 of 2 viewers of bad were connected at the end of its hold, 0 %.';
    expect(sentence).toContain(`25 of 27 viewers connected, fewer than expected: ${ofBad}`);
    expect(reasons?.map((reason) => reason.sentence)).toEqual([expect.stringContaining(ofBad)]);
    expect(headroom).toEqual(
      expect.arrayContaining([
        '20 of 20 viewers of good were connected at the end of its hold, 100 %.',
        '5 of 5 viewers of short were connected at the end of its hold, 100 %.',
      ]),
    );
    expect(audiences?.map((audience) => audience.split(',')[0])).toEqual([
      'good: 20 of 20 viewers connected',
      'short: 5 of 5 viewers connected',
      'bad: 0 of 2 viewers connected',
    ]);
    expect(engine.events.map((event) => event.sentence)).toContainEqual(
      expect.stringMatching(/^Viewer 1 of bad failed at signalling/),
    );
  });

  it('may be twelve, which Node takes for no leak; the runs list draws each viewer once', async () => {
    const warnings: string[] = [];
    const take = ({ message }: Error): unknown => warnings.push(message);
    process.on('warning', take);
    later(() => {
      process.off('warning', take);
    });
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    const first = planOf({ viewers: 2, ratePerSecond: 20, holdMs: 3000, label: '1' });
    const also = Array.from({ length: 11 }, (_, place) => ({ ...audienceIn(first), label: String(place + 2) }));
    await engine.client.call('runs.start', { plan: { ...first, also } });
    const view = await done;
    expect(view.figures, view.verdict?.sentence).toMatchObject({ requested: 24, connectedPeak: 24 });
    const [row] = await engine.client.call('runs.list', {});
    expect(Math.max(...(row?.viewersTrace ?? []))).toBe(24);
    expect(warnings).toEqual([]);
  });
});
