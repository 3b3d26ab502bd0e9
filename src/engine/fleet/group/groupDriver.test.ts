import { describe, expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import { FakeMember } from '../../../../tests/support/fakeMember';
import { Histogram } from '../../../domain/distribution/histogram';
import { encodeHistogram } from '../../base/histogramBytes';
import { VirtualTime } from '../../../../tests/support/virtualTime';
import type { PullOrder, PullSample } from '../../load/driver';
import { GroupDriver } from './groupDriver';

const order: PullOrder = {
  job: 'pull-1',
  protocol: 'whep',
  url: 'http://10.0.0.9/whep/cam',
  stream: 'cam',
  viewers: 30,
  ratePerSecond: 6,
  maxHoldMs: 1000,
};
const job = 'pull-1@m';
const time = 1_795_000_000_000;

function group(size = 3, limit?: number) {
  const { clock, pass } = new VirtualTime();
  const members = Array.from({ length: size }, (_, index) => new FakeMember(index, limit));
  const driver = new GroupDriver({ who: 'load', clock, mark: 'm' });
  const rounds: (readonly PullSample[])[] = [];
  driver.onSample((samples) => rounds.push(samples));
  for (const { member } of members) driver.join(member);
  getInStep(members);
  rounds.splice(0);
  return { driver, pass, rounds, members: members as [FakeMember, FakeMember, FakeMember], clock };
}

const textOf = (value: number): string => Buffer.from(encodeHistogram(Histogram.of([value]))).toString('base64');

/** From its first report on, rounds wait for a member; the second one of the first completes the round of the others. */
function getInStep(members: readonly FakeMember[]): void {
  for (const member of members) member.report(time - 2000, []);
  members[0]?.report(time - 1000, []);
}

const ofLast = (rounds: readonly (readonly PullSample[])[]): PullSample => {
  const sample = rounds.at(-1)?.[0];
  if (!sample) throw new Error('no sample');
  return sample;
};

describe('the start of a job', () => {
  it('splits viewers, rate, tokens, addresses and numbers over the members', async () => {
    const { driver, members } = group();
    const tokens = Array.from({ length: 31 }, (_, i) => `t${i}`);
    await driver.start({
      ...order,
      viewers: 31,
      ratePerSecond: 31,
      tokens,
      urls: ['a', 'b', 'c', 'd'],
      headers: { fields: [{ name: 'x', value: '{n}' }], firstViewer: 101 },
    });
    const orders = members.map((member) => member.orders('audience.start')[0]);
    expect(orders.map((order) => order?.['viewers'])).toEqual([11, 10, 10]);
    expect(orders.map((order) => order?.['ratePerSecond'])).toEqual([11, 10, 10]);
    expect(orders.flatMap((order) => order?.['tokens'])).toEqual(tokens);
    expect(orders.map((order) => order?.['firstViewer'])).toEqual([101, 112, 122]);
    // Viewer 12 takes the fourth address, since 11 is a multiple of four plus three.
    expect(orders.map((order) => order?.['urls'])).toEqual([
      ['a', 'b', 'c', 'd'],
      ['d', 'a', 'b', 'c'],
      ['b', 'c', 'd', 'a'],
    ]);
  });

  it('spreads an audience that grows by a few viewers over all members', async () => {
    const { driver, members } = group();
    for (let i = 1; i <= 6; i += 1) await driver.start({ ...order, job: `pull-${i}`, viewers: 1 });
    expect(members.map((member) => member.orders('audience.start').length)).toEqual([2, 2, 2]);
  });

  it('refuses as a whole, and names the member', async () => {
    const { driver, members } = group();
    members[1].refusal = new FullhouseError('too-many-viewers', 'Its limit is 5.');
    await expect(driver.start(order)).rejects.toMatchObject({
      code: 'too-many-viewers',
      message: 'load-1: Its limit is 5.',
    });
    expect(members.map((member) => member.orders('audience.stop').length)).toEqual([1, 1, 1]);
  });

  it('states a warning of all members once', async () => {
    const { driver } = group();
    expect((await driver.start(order)).warnings).toEqual(['load-0 and 2 others: The limit of open files is low.']);
  });

  it('asks a member again whose answer was lost, once it has no such job', async () => {
    const { driver, members, rounds } = group(2);
    members[1].refusal = new FullhouseError('link-lost', 'The link broke.');
    await driver.start(order);
    members[1].report(time, []);
    members[0].report(time, [{ job, connected: 15 }]);
    expect(members[1].orders('audience.start')).toHaveLength(2);
    expect(ofLast(rounds)).toMatchObject({ connected: 15, waiting: 15, state: 'ramping-up' });
    members[1].report(time + 1000, [{ job, connected: 15 }]);
    members[0].report(time + 1000, [{ job, connected: 15 }]);
    expect(members[1].orders('audience.start')).toHaveLength(2);
    expect(ofLast(rounds)).toMatchObject({ connected: 30, waiting: 0, state: 'holding' });
  });
});

describe('the samples of a job', () => {
  it('are one a second, of all members', async () => {
    const { driver, members, rounds } = group();
    await driver.start(order);
    for (let second = 0; second < 3; second += 1) {
      members.forEach((member, i) =>
        member.report(time + second * 1000 + i * 300, [
          { job, connected: 10, present: 10, bitrateKbps: 100, packetsPerSecond: 40, stalls: second },
        ]),
      );
    }
    expect(rounds).toHaveLength(3);
    expect(ofLast(rounds)).toMatchObject({
      requested: 30,
      connected: 30,
      present: 30,
      bitrateKbps: 300,
      packetsPerSecond: 120,
      stalls: 6,
      timeMs: time + 2600,
    });
  });

  it('do not wait longer than a moment for a late member, and then not again', async () => {
    const { driver, members, rounds, pass } = group(2);
    await driver.start(order);
    for (const member of members) member.report(time, [{ job, connected: 15 }]);
    members[0].report(time + 1000, [{ job, connected: 14 }]);
    expect(rounds).toHaveLength(1);
    await pass(1400);
    expect(ofLast(rounds)).toMatchObject({ connected: 29 });
    members[0].report(time + 2000, [{ job, connected: 13 }]);
    expect(ofLast(rounds)).toMatchObject({ connected: 28 });
    expect(rounds).toHaveLength(3);
  });

  it('keep the state of a member whose link is lost until it has sent its records, each counted once', async () => {
    const { driver, members, rounds } = group(2);
    await driver.start(order);
    const second = (member: FakeMember, at: number, over: object = {}): void =>
      member.report(time + at * 1000, [{ job, connected: 15, bitrateKbps: 100, failed: 0, stalls: at, ...over }]);
    for (const member of members) second(member, 0);
    members[1].become('lost');
    for (const at of [1, 2, 3]) second(members[0], at);
    expect(rounds).toHaveLength(4);
    expect(ofLast(rounds)).toMatchObject({ connected: 30, bitrateKbps: 200, stalls: 3 });
    members[1].become('live');
    second(members[1], 1);
    second(members[1], 2, { bitrateKbps: 400 });
    second(members[1], 3);
    second(members[1], 4, { connected: 12, failed: 3 });
    second(members[0], 4);
    // Counters by their newest value, rates as a mean.
    expect(ofLast(rounds)).toMatchObject({ connected: 27, failed: 3, stalls: 8, bitrateKbps: 275 });
    second(members[0], 5);
    second(members[1], 5, { connected: 12, failed: 3 });
    expect(ofLast(rounds)).toMatchObject({ connected: 27, failed: 3, stalls: 10, bitrateKbps: 200 });
  });

  it('merge each histogram exactly once, also those of an ended member and of a link that was lost', async () => {
    const { driver, members, rounds, clock } = group(3);
    await driver.start(order);
    const second = (member: FakeMember, at: number): void =>
      member.report(time + at * 1000, [
        {
          job,
          connected: 10,
          distributions: { jitterMs: textOf(at + 1) },
          delay: { referenceMs: 500, senderReportMs: textOf(10) },
        },
      ]);
    for (const member of members) second(member, 0);
    members[1].become('lost');
    for (const at of [1, 2]) for (const member of [members[0], members[2]]) second(member, at);
    members[1].become('live');
    for (const at of [1, 2, 3]) second(members[1], at);
    second(members[2], 3);
    // Its report of this second waits for that of the first member.
    driver.lose(2, 'load-2 ended', clock.now());
    second(members[0], 3);
    const all = rounds.flatMap(([sample]) => sample?.distributions.jitterMs ?? []);
    const whole = Histogram.merged(all);
    const { count = 0, low, high } = whole ?? {};
    expect({ count, low, high }).toEqual({ count: 12, low: 1, high: 4 });
    const delays = rounds.flatMap(([sample]) => sample?.delay ?? []);
    expect(delays.reduce((sum, { senderReportDelayMs }) => sum + (senderReportDelayMs?.count ?? 0), 0)).toBe(12);
  });

  it('have delays in our clock', async () => {
    const { clock } = new VirtualTime();
    const driver = new GroupDriver({ who: 'load', clock, mark: 'm' });
    const rounds: (readonly PullSample[])[] = [];
    driver.onSample((samples) => rounds.push(samples));
    const members = [0, 40].map(
      (offsetMs, index) => new FakeMember(index, 100, { offsetMs, uncertaintyMs: 2 + index }),
    );
    for (const { member } of members) driver.join(member);
    getInStep(members);
    await driver.start(order);
    // The clock of the second one is 40 ms ahead, so it measures 40 ms more.
    members.forEach((member, i) =>
      member.report(time, [{ job, delay: { referenceMs: 1000, senderReportMs: textOf(100 + 40 * i) } }]),
    );
    const { delay } = ofLast(rounds);
    const { count, low, high } = delay?.senderReportDelayMs ?? {};
    expect(delay?.referenceMs).toBe(1000);
    expect({ count, low, high }).toEqual({ count: 2, low: 100, high: 100 });
    expect(driver.remoteClock).toEqual({ offsetMs: 0, uncertaintyMs: 3 });
  });

  it('are those of their seconds when the console itself was away', async () => {
    const { driver, members, rounds } = group(2);
    await driver.start(order);
    for (let at = 0; at < 4; at += 1) members[0].report(time + at * 1000, [{ job, connected: at }]);
    for (let at = 0; at < 4; at += 1) members[1].report(time + at * 1000 + 200, [{ job, connected: 10 + at }]);
    expect(rounds.map(([sample]) => sample?.connected).slice(-3)).toEqual([12, 14, 16]);
    expect(rounds.map(([sample]) => sample?.timeMs).slice(-1)).toEqual([time + 3200]);
  });

  it('add failures, with the viewers numbered over all members', async () => {
    const { driver, members, rounds } = group(2);
    await driver.start(order);
    members.slice(0, 2).forEach((member, i) =>
      member.report(time, [
        {
          job,
          failures: [
            { stage: 'ice', cause: 'timeout', count: 2, example: { viewer: 3, timeMs: time - i, detail: `by ${i}` } },
          ],
        },
      ]),
    );
    expect(ofLast(rounds).failures).toEqual([
      { stage: 'ice', cause: 'timeout', count: 4, example: { viewer: 18, timeMs: time - 1, detail: 'by 1' } },
    ]);
  });

  it('have the worst machine of a figure, drops as its own share, and failed viewers of all', async () => {
    const { driver, members, rounds } = group(2);
    await driver.start(order);
    const all = { failedOnTester: 2, memoryTotalBytes: 100 };
    members[0].report(time, [{ job, packetsPerSecond: 900 }], {
      ...all,
      hostCpuPercent: 20,
      memoryAvailableBytes: 40,
      socketDrops: 0,
    });
    members[1].report(time, [{ job, packetsPerSecond: 100 }], {
      ...all,
      hostCpuPercent: 95,
      memoryAvailableBytes: 70,
      socketDrops: 5,
    });
    expect(ofLast(rounds).tester).toMatchObject({
      testerHostCpuPercent: 95,
      testerMemoryAvailablePercent: 40,
      // 5 % of 1,000 packets: the share by which a tester is judged.
      testerSocketDropsPerSecond: 50,
      viewersFailedOnTester: 4,
      testerWorstMember: 2,
    });
  });
});

describe('a member that ends', () => {
  it('loses its viewers to the tester, and a replacement takes the same share', async () => {
    const { driver, members, rounds, clock, pass } = group();
    const tokens = Array.from({ length: 30 }, (_, i) => `t${i}`);
    await driver.start({ ...order, tokens });
    for (const member of members) member.report(time, [{ job, connected: 9, failed: 1, present: 9, stalls: 2 }]);
    expect(driver.lose(1, 'load-1 ended: OOM killed', clock.now())).toBe(9);
    for (const member of [members[0], members[2]]) member.report(time + 1000, [{ job, connected: 9, failed: 1 }]);
    const lost = ofLast(rounds);
    expect(lost).toMatchObject({ connected: 18, failed: 12, stalls: 2, tester: { viewersFailedOnTester: 9 } });
    expect(lost.failures).toEqual([
      {
        stage: 'media',
        cause: 'tester-lost',
        count: 9,
        example: { viewer: 11, timeMs: clock.now(), detail: 'load-1 ended: OOM killed' },
      },
    ]);
    const replacement = new FakeMember(1);
    driver.join(replacement.member);
    expect(replacement.orders('audience.start')[0]).toMatchObject({ viewers: 10, ratePerSecond: 2 });
    expect(replacement.orders('audience.start')[0]?.['tokens']).toEqual(tokens.slice(10, 20));
    for (const member of [members[0], members[2]]) member.report(time + 2000, [{ job, connected: 9, failed: 1 }]);
    await pass(1400);
    expect(ofLast(rounds)).toMatchObject({ connected: 18, waiting: 10, failed: 12 });
    for (const member of [replacement, members[0], members[2]])
      member.report(time + 3000, [{ job, connected: 9, failed: 1 }]);
    // 2 of the others, 1 and 9 of the ended one, 1 of its replacement.
    expect(ofLast(rounds)).toMatchObject({ connected: 27, waiting: 0, failed: 13 });
  });

  it('is not replaced in a job that is being stopped, whose viewers were to disconnect anyway', async () => {
    const { driver, members, rounds, clock, pass } = group();
    await driver.start(order);
    for (const member of members) member.report(time, [{ job, connected: 10, present: 10 }]);
    expect((await driver.stop('pull-1', false)).present).toBe(15);
    expect(driver.lose(1, 'load-1 ended', clock.now())).toBe(0);
    const replacement = new FakeMember(1);
    driver.join(replacement.member);
    expect(replacement.orders('audience.start')).toEqual([]);
    for (const member of [members[0], members[2]]) member.report(time + 1000, [{ job, state: 'ended' }]);
    await pass(1400);
    expect(ofLast(rounds)).toMatchObject({ state: 'ended', connected: 0, failed: 0, present: 0 });
  });

  it('reports the loss when no other member is left', async () => {
    const { driver, members, rounds, clock } = group(1);
    await driver.start(order);
    members[0].report(time, [{ job, connected: 30 }]);
    driver.lose(0, 'load-0 ended', clock.now());
    expect(ofLast(rounds)).toMatchObject({ state: 'ended', connected: 0, failed: 30 });
  });
});

describe('the viewers of a job', () => {
  it('are numbered and paged over all members', async () => {
    const { driver } = group();
    await driver.start(order);
    const numbers = async (offset: number, limit: number): Promise<unknown> => {
      const { total, viewers } = await driver.viewers('pull-1', offset, limit);
      return { total, numbers: viewers.map(({ viewer }) => viewer), from: viewers.map(({ packets }) => packets) };
    };
    expect(await numbers(8, 4)).toEqual({ total: 30, numbers: [9, 10, 11, 12], from: [0, 0, 1, 1] });
    expect(await numbers(25, 100)).toMatchObject({ total: 30, numbers: [26, 27, 28, 29, 30] });
  });

  it('have details from the member that runs them', async () => {
    const { driver, members } = group();
    await driver.start(order);
    await driver.viewer('pull-1', 25);
    expect(members[2].orders('audience.viewer')).toEqual([{ job, viewer: 5 }]);
  });
});

it('gives a stop to a member again that could not be reached, and only to that one', async () => {
  const { driver, members } = group(2);
  await driver.start(order);
  members[1].refusal = new FullhouseError('link-lost', 'The link broke.');
  await expect(driver.stop('pull-1', false)).rejects.toMatchObject({ code: 'link-lost' });
  await driver.stop('pull-1', false);
  expect(members.map((member) => member.orders('audience.stop').length)).toEqual([1, 2]);
});

it('has the limit of all members together, and fills those with room', async () => {
  const { clock } = new VirtualTime();
  const driver = new GroupDriver({ who: 'load', clock, mark: 'm' });
  const members = [new FakeMember(0, 100), new FakeMember(1, 12), new FakeMember(2, 100)];
  for (const { member } of members) driver.join({ ...member, weight: member.index + 1 });
  expect(driver.viewerLimit).toBe(212);
  await driver.start({ ...order, viewers: 60 });
  expect(members.map((member) => member.orders('audience.start')[0]?.['viewers'])).toEqual([12, 12, 36]);
});
