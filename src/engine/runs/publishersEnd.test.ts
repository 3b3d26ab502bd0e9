import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultExpectations, type Plan } from '../../domain/model/plan';
import { FullhouseError } from '../../contract/calls';
import { VirtualEngine } from '../../../tests/support/virtualEngine';
import { VirtualTime } from '../../../tests/support/virtualTime';
import { nextTurn } from '../base/clock';
import type { FleetNode } from '../fleet/node';
import { Publications } from '../fleet/publications';
import { GroupJob, RunPublishers } from './runPublishers';

let engine: VirtualEngine;
beforeEach(() => {
  engine = new VirtualEngine();
});
afterEach(() => engine.close());

const planOf = (holdMs: number): Plan => ({
  name: 'Ingest',
  nodes: { origin: { server: 'lab' }, load: { tester: 'local' } },
  publish: [
    {
      ...{ stream: 'cam-{n}', node: 'origin', source: 'sample-240p', by: 'load' },
      ...{ publishers: 12, ratePerSecond: 10, holdMs, protocol: 'whip' },
    },
  ],
  expect: defaultExpectations,
});

async function holding(holdMs: number): Promise<void> {
  await engine.start(planOf(holdMs));
  await engine.until(({ figures, phases }) => figures.connected === 12 && phases.at(-1)?.name === 'hold');
}

const publications = () => [...engine.agents.audience.publications.keys()];
const listed = async () =>
  (await engine.client.call('engine.state', {})).jobs.filter(({ kind }) => kind === 'publish').map(({ id }) => id);

function unreachable(isUnreachable: boolean): void {
  const { audience } = engine.agents;
  audience.isUnreachable = isUnreachable;
  if (isUnreachable) audience.cut();
}

describe('publishers alone', () => {
  it('end with their hold', async () => {
    await holding(4000);
    const view = await engine.ended(20_000);
    expect(publications()).toEqual([]);
    expect(await listed()).toEqual([]);
    expect(view.figures.present).toBe(0);
    expect(engine.sentences).toContain('Ended; all publishers disconnected');
  });

  it('end once their tester is connected again', async () => {
    await holding(4000);
    unreachable(true);
    await engine.until(({ phases }) => phases.at(-1)?.name === 'drain', 10_000);
    await engine.time.pass(8000);
    expect([publications(), await listed()]).toEqual([['publish-1'], ['publish-1']]);
    expect((await engine.run())?.state).toBe('stopping');
    unreachable(false);
    await engine.ended(5000);
    expect([publications(), await listed()]).toEqual([[], []]);
    expect(engine.sentences).toContain('Ended; all publishers disconnected');
  });

  it('of a tester that is not connected again are given up in time, listed, and ended later', async () => {
    await holding(4000);
    unreachable(true);
    const { phases } = await engine.ended(40_000);
    const { startMs = 0, endMs = 0 } = phases.find(({ name }) => name === 'drain') ?? {};
    expect((endMs - startMs) / 1000).toBe(22);
    expect(engine.sentences).toContain('The publishers of cam-{n} on load could not be ended.');
    expect(engine.sentences).toContain('Ended; 12 publishers could not be disconnected');
    expect([publications(), await listed()]).toEqual([['publish-1'], ['publish-1']]);
    unreachable(false);
    await engine.time.pass(5000);
    expect([publications(), await listed()]).toEqual([[], []]);
  });

  it('of a tester that answers no order are given up in time', async () => {
    await holding(4000);
    engine.agents.audience.stops = 'ignored';
    const { phases } = await engine.ended(40_000);
    const { startMs = 0, endMs = 0 } = phases.find(({ name }) => name === 'drain') ?? {};
    expect((endMs - startMs) / 1000).toBe(22);
    engine.agents.audience.stops = 'followed';
  });

  it('end with their tester', async () => {
    await holding(4000);
    unreachable(true);
    await engine.until(({ phases }) => phases.at(-1)?.name === 'drain', 10_000);
    await engine.agents.audience.end('SIGKILL');
    await engine.ended(3000);
    expect(await listed()).toEqual([]);
  });

  it('whose order was accepted but not answered are ended', async () => {
    // The agent of the tester runs from its start on.
    await holding(1000);
    await engine.ended(20_000);
    const { audience } = engine.agents;
    audience.hidesAcceptance = true;
    await engine.start(planOf(600_000));
    await engine.time.pass(2000);
    expect(publications()).toEqual(['publish-2']);
    await engine.ended(20_000);
    await engine.time.pass(1000);
    expect([publications(), await listed()]).toEqual([[], []]);
  });
});

describe('publishers that are ordered to end while their start is on its way', () => {
  const started = (stop: () => Promise<void>) => {
    let accept = (_: { readonly warnings: readonly string[] }): void => undefined;
    const start = () => new Promise<{ readonly warnings: readonly string[] }>((resolve) => (accept = resolve));
    const publisher = { start, stop, onSample: () => () => undefined };
    const tester = { id: 'local', running: true, staying: true, driver: { publisher } } as unknown as FleetNode;
    const addresses = () => ({ play: {}, publish: { rtmp: 'rtmp://127.0.0.1/live/cam' } });
    const server = { addresses, generatesStreams: false };
    const node = { id: 'origin', settings: {}, running: true, streams: [], server } as unknown as FleetNode;
    const publication = { stream: 'cam', node: 'origin', source: 'sample-240p' };
    const { clock } = new VirtualTime();
    const publications = new Publications('', clock);
    const group = { publication, by: 'load', publishers: 1, ratePerSecond: 10, holdMs: 0 };
    const published = new RunPublishers(publications, clock);
    const job = new GroupJob(group, node, tester);
    const begun = published.start(job);
    return { published, publications, begun, job, accept: () => accept({ warnings: [] }) };
  };

  it('end once it is accepted, and are not over before', async () => {
    const stopped: string[] = [];
    const { published, publications, begun, job, accept } = started(() => Promise.resolve(void stopped.push('stop')));
    await nextTurn();
    expect(await published.leave()).toEqual([]);
    expect(stopped).toEqual([]);
    expect(job.seen().jobs[0]?.state).toBe('starting');
    accept();
    expect(await begun).toEqual([]);
    expect(stopped).toEqual(['stop']);
    expect(job.seen().jobs[0]?.state).toBe('ended');
    expect(publications.byAgents()).toEqual([]);
  });

  it('are listed with a sentence if their tester could not be reached', async () => {
    const sentence = 'The agent of local is not connected now.';
    const lost = new FullhouseError('link-lost', sentence);
    const { published, publications, begun, job, accept } = started(() => Promise.reject(lost));
    await nextTurn();
    await published.leave();
    accept();
    expect(await begun).toEqual([sentence]);
    expect(publications.jobs(({ id }) => id)).toMatchObject([{ problem: sentence }]);
    expect(job.seen().jobs[0]?.state).toBe('starting');
  });
});
