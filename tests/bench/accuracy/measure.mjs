import { pause, until } from '../audience/programs/children.mjs';
import { losslessPath } from './conditions.mjs';

const patienceMs = 30_000;

/**
 * Runs the audience and the browser on one stream under one condition, and returns their figures and the lab's for the
 * same interval.
 * @param {{ lab: object, audience: object, browser?: object, viewers: number, seconds: number }} stage
 * @param {{ name: string, way: object, pauseMs?: number, sample?: string }} condition
 */
export async function measure(stage, condition) {
  const { lab, audience, browser, viewers } = stage;
  const stream = 'accuracy';
  const { whepUrl } = await lab.call('lab.publish-sample', {
    stream,
    sample: condition.sample ?? 'sample-240p',
  });
  await lab.call('lab.conditions', { stream, ...losslessPath }); // from here on the ground truth is recorded
  const job = `accuracy ${condition.name}`;
  await audience.call('audience.start', {
    job,
    protocol: 'whep',
    url: whepUrl,
    viewers,
    ratePerSecond: 50,
    holdMs: 0,
  });
  if (browser) await browser.watch(whepUrl);
  const look = () => runCheck(stage, job, stream);
  await until(async () => isPlaying(await look(), stage), 'video at all viewers', patienceMs, 200);
  // Not earlier: a viewer cannot detect a packet lost before its first one.
  await lab.call('lab.conditions', { stream, ...condition.way });
  await pause(3000); // until the browser's buffer is stable

  const before = await look();
  const between = [];
  for (let second = 0; second < stage.seconds; second += 1) {
    if (condition.pauseMs !== undefined && second === Math.floor(stage.seconds / 2))
      await lab.call('lab.conditions', { stream, pauseMs: condition.pauseMs });
    await pause(1000);
    between.push(await look());
  }
  const after = between.at(-1);

  if (browser) await browser.leave();
  await audience.call('audience.stop', { job });
  await until(() => audience.latest()?.jobs?.every(({ state }) => state === 'ended'), 'the end of the job', patienceMs);
  await lab.call('lab.unpublish', { stream });
  return {
    condition,
    agent: compareAgents(before, between, after),
    browser: browser && compareBrowser(before, between, after),
  };
}

/** All figures at one time: the lab is queried between the others, to keep the times close. */
async function runCheck({ lab, audience, browser }, job, stream) {
  const page = { offset: 0, limit: 1000 };
  const [{ viewers: rows }, { viewers: truths }, page1] = await Promise.all([
    audience.call('audience.viewers', { job, ...page }),
    lab.call('lab.viewers', { stream, ...page }),
    browser?.read(),
  ]);
  const isBrowser = ({ userAgent }) => userAgent.startsWith('Mozilla');
  return {
    atMs: performance.now(),
    rows,
    truths: truths.filter((each) => !isBrowser(each)),
    browser: page1,
    browserTruth: truths.find(isBrowser),
  };
}

const isPlaying = ({ rows, browser }, stage) =>
  rows.filter(({ state, frames }) => state === 'connected' && frames > 0).length === stage.viewers &&
  (!stage.browser || browser.framesDecoded > 0);

const sum = (list, of) => list.reduce((total, each) => total + of(each), 0);
const mean = (list, of) => (list.length === 0 ? 0 : sum(list, of) / list.length);
const dropped = ({ video, audio }) => video.dropped + audio.dropped;
const sent = ({ video, audio }) => video.sent + audio.sent;

function compareAgents(before, between, after) {
  const seconds = (after.atMs - before.atMs) / 1000;
  const packets = sum(after.truths, sent) - sum(before.truths, sent);
  const change = (key, of) => sum(after[key], of) - sum(before[key], of);
  const count = after.rows.length;
  const share = (value) => (100 * value) / packets;
  return {
    packets,
    truth: {
      lossPercent: share(change('truths', dropped)),
      frames: change('truths', ({ framesComplete }) => framesComplete) / count,
      framesPerSecond: change('truths', ({ framesComplete }) => framesComplete) / count / seconds,
      stalls: change('truths', ({ stalls }) => stalls),
      stalledMs: change('truths', ({ stalledMs }) => stalledMs) / count,
      jitterMs: mean(between, ({ truths }) => mean(truths, ({ jitterMs }) => jitterMs)),
      repaired: change('truths', ({ video }) => video.repaired),
    },
    reported: {
      lossPercent: share(change('rows', ({ lost }) => lost)),
      frames: change('rows', ({ frames }) => frames) / count,
      framesPerSecond: change('rows', ({ frames }) => frames) / count / seconds,
      stalls: change('rows', ({ stalls }) => stalls),
      stalledMs: change('rows', ({ stalledMs }) => stalledMs) / count,
      jitterMs: mean(between, ({ rows }) => mean(rows, ({ jitterMs }) => jitterMs ?? 0)),
    },
    /** Counted by the lab: the agent's rows do not contain them. */
    nacks: change('truths', ({ nacks }) => nacks) / count,
  };
}

/** RTX packets belong to another stream: a browser reports loss before repair, the agent after it. */
const lostByBrowser = (viewer) => dropped(viewer) + (viewer.rtx ? viewer.video.repaired : 0);

function compareBrowser(before, between, after) {
  const seconds = (after.atMs - before.atMs) / 1000;
  const packets = sent(after.browserTruth) - sent(before.browserTruth);
  const truth = (of) => of(after.browserTruth) - of(before.browserTruth);
  const reported = (of) => of(after.browser) - of(before.browser);
  return {
    packets,
    truth: {
      lossPercent: (100 * truth(lostByBrowser)) / packets,
      framesPerSecond: truth(({ framesComplete }) => framesComplete) / seconds,
      stalls: truth(({ stalls }) => stalls),
      stalledMs: truth(({ stalledMs }) => stalledMs),
      jitterMs: mean(between, ({ browserTruth }) => browserTruth.jitterPerFrameMs),
      nacks: truth(({ nacks }) => nacks),
      repaired: truth(({ video }) => video.repaired),
    },
    reported: {
      lossPercent: (100 * reported(({ lostVideo, lostAudio }) => lostVideo + lostAudio)) / packets,
      frames: reported(({ framesReceived }) => framesReceived),
      framesPerSecond: reported(({ framesReceived }) => framesReceived) / seconds,
      framesDecodedPerSecond: reported(({ framesDecoded }) => framesDecoded) / seconds,
      freezes: reported(({ freezes }) => freezes),
      frozenMs: reported(({ frozenMs }) => frozenMs),
      jitterMs: mean(between, ({ browser }) => browser.jitterMs),
      nacks: reported(({ nacks }) => nacks),
    },
  };
}
