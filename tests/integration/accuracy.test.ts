import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AudienceViewer } from '../../src/contract/viewerSchemas';
import type { LabConditions, LabViewer } from '../../src/contract/labProtocol';
import { type AgentLink } from '../../src/engine/links/agentLink';
import { openAgentLink } from '../../src/engine/links/webSocketLink';
import { localAgentBinary, startLocalAgent } from '../../src/engine/links/localAgent';
import { agentFolder, cleanUp, later, samplesFolder } from './support';

/**
 * Figures of the audience compared with the lab's ground truth under artificial network conditions. All bounds are
 * between the two, never against the clock: a slow machine affects both alike. `npm run bench accuracy` is the long
 * version, with a browser.
 */
const viewers = 20;
const stream = 'cam';
const job = 'pull';
const allViewers = { offset: 0, limit: 1000 };

let lab: AgentLink;
let audience: AgentLink;

beforeAll(async () => {
  lab = await agentOf('lab', ['--samples', samplesFolder]);
  audience = await agentOf('audience');
});
afterEach(async () => {
  await audience.request('audience.stop', { job, force: true });
  await lab.request('lab.unpublish', { stream });
});
afterAll(cleanUp);

async function agentOf(role: 'lab' | 'audience', args: readonly string[] = []): Promise<AgentLink> {
  const agent = await startLocalAgent({ binary: localAgentBinary(agentFolder), role, args });
  later(async () => void (await agent.end(undefined, true)));
  const link = await openAgentLink({
    address: () => agent.listening.address,
    token: agent.token,
    who: `The ${role}`,
    version: '0.1.0',
  });
  later(() => link.close());
  return link;
}

interface Reading {
  readonly reported: readonly AudienceViewer[];
  readonly truth: readonly LabViewer[];
}

async function read(): Promise<Reading> {
  const [reported, truth] = await Promise.all([
    audience.request('audience.viewers', { job, ...allViewers }),
    lab.request('lab.viewers', { stream, ...allViewers }),
  ]);
  return { reported: reported.viewers, truth: truth.viewers };
}

async function untilReading(holds: (reading: Reading) => boolean): Promise<Reading> {
  for (const endMs = Date.now() + 60_000; ;) {
    const reading = await read();
    if (holds(reading)) return reading;
    if (Date.now() > endMs) throw new Error(`Timeout after a minute: ${JSON.stringify(reading.truth[0])}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const sum = <T>(list: readonly T[], of: (each: T) => number): number =>
  list.reduce((total, each) => total + of(each), 0);
const mean = <T>(list: readonly T[], of: (each: T) => number): number => sum(list, of) / list.length;
const sent = ({ video, audio }: LabViewer): number => video.sent + audio.sent;
const dropped = ({ video, audio }: LabViewer): number => video.dropped + audio.dropped;

/**
 * A small audience that has a picture, and from then on these conditions: with its very first packet lost, no viewer
 * could know of that packet. Resolves with how many packets were sent before.
 */
async function watching(way: LabConditions): Promise<number> {
  const { whepUrl } = await lab.request('lab.publish-sample', { stream, sample: 'sample-240p' });
  await lab.request('lab.conditions', { stream, seed: 1 }); // from here on the ground truth is recorded
  await audience.request('audience.start', {
    job,
    protocol: 'whep',
    url: whepUrl,
    viewers,
    ratePerSecond: 100,
    holdMs: 0,
  });
  await untilReading(({ reported }) => reported.filter(({ frames }) => frames > 0).length === viewers);
  await lab.request('lab.conditions', { stream, ...way });
  return sum((await read()).truth, sent);
}

const untilSent = (packets: number): Promise<Reading> => untilReading(({ truth }) => sum(truth, sent) >= packets);

/** Ends the loss, waits until no viewer waits for a packet, and then stops sending, so that both counts are final. */
async function settled(): Promise<Reading> {
  await lab.request('lab.conditions', { stream, lossPercent: 0 });
  const { truth } = await read();
  const enough = sum(truth, sent) + 30 * viewers;
  await untilReading(({ truth: now }) => sum(now, sent) >= enough && now.every(({ video }) => video.pending === 0));
  await lab.request('lab.conditions', { stream, pauseMs: 9000 });
  let before = '';
  return untilReading(({ reported, truth: now }) => {
    const counts = JSON.stringify([reported.map(({ packets }) => packets), now.map(sent)]);
    const isStill = counts === before;
    before = counts;
    return isStill;
  });
}

describe('the audience under loss', () => {
  it.each([
    { lossPercent: 0, noRepair: true },
    { lossPercent: 2, noRepair: true },
    { lossPercent: 10, noRepair: true },
    { lossPercent: 2, noRepair: false },
    { lossPercent: 10, noRepair: false },
  ])('of $lossPercent %, no repair: $noRepair, measures it correctly', async (way) => {
    const before = await watching(way);
    const underLoss = sum((await untilSent(before + 2000)).truth, sent) - before;
    const { reported, truth } = await settled();
    const lostReported = sum(reported, ({ lost }) => lost);
    const lostInTruth = sum(truth, dropped);
    const repaired = sum(truth, ({ video }) => video.repaired);
    // On a busy machine a repair may arrive after the viewer's repair window.
    const bound = way.noRepair ? 0 : 0.1 * repaired;
    expect(Math.abs(lostReported - lostInTruth)).toBeLessThanOrEqual(bound);

    const asked = (way.lossPercent / 100) * underLoss;
    if (way.noRepair) {
      expect(repaired).toBe(0);
      expect(Math.abs(lostInTruth - asked)).toBeLessThanOrEqual(0.5 * asked);
    } else {
      expect(repaired).toBeGreaterThan(0.3 * asked);
      expect(lostInTruth).toBeLessThan(0.75 * asked); // the audio, which has no repair
    }
    // A keyframe with only its parameter sets lost decodes with the previous ones: the agent counts it, the lab does
    // not.
    const frames = sum(reported, (each) => each.frames);
    const whole = sum(truth, ({ framesComplete }) => framesComplete);
    expect(frames).toBeGreaterThanOrEqual(whole - bound);
    expect(frames).toBeLessThanOrEqual(whole * 1.01 + bound);
  });
});

describe('the audience under jitter', () => {
  it('measures the jitter correctly', async () => {
    const before = await watching({ jitterMs: 10 });
    const readings: Reading[] = []; // the figure is a running mean over some 16 packets
    for (const packets of [2000, 3000, 4000]) readings.push(await untilSent(before + packets));
    const truth = mean(readings, (reading) => mean(reading.truth, ({ jitterMs }) => jitterMs));
    const reported = mean(readings, (reading) => mean(reading.reported, ({ jitterMs }) => jitterMs ?? 0));
    expect(truth).toBeGreaterThan(2);
    expect(Math.abs(reported - truth)).toBeLessThanOrEqual(Math.max(2, 0.35 * truth));
    expect(sum(readings.at(-1)?.reported ?? [], ({ lost }) => lost)).toBe(0);
  });
});

describe('a pause of a second', () => {
  it('is one stall and one freeze of about its length for every viewer, and no loss', async () => {
    await watching({});
    // W3C's rule of freezes judges nothing before five intervals.
    const { reported: playing } = await untilReading((now) => now.reported.every(({ frames }) => frames >= 10));
    const before = new Map(playing.map(({ viewer, frames }) => [viewer, frames]));
    await lab.request('lab.conditions', { stream, pauseMs: 1000 });
    const { reported, truth } = await untilReading((now) =>
      now.reported.every(({ viewer, frames }) => frames >= (before.get(viewer) ?? 0) + 40),
    );
    for (const { stalls, stalledMs } of truth) {
      expect(stalls).toBe(1);
      expect(stalledMs).toBeGreaterThanOrEqual(1000);
    }
    const ofAll = mean(truth, ({ stalledMs }) => stalledMs);
    for (const viewer of reported) {
      expect(viewer).toMatchObject({ stalls: 1, freezeCount: 1, lost: 0 });
      // Tolerance: one frame, plus delays of a busy machine.
      expect(Math.abs(viewer.stalledMs - ofAll)).toBeLessThan(300);
      expect(Math.abs((viewer.freezeDurationMs ?? 0) - viewer.stalledMs)).toBeLessThanOrEqual(1);
    }
  });
});
