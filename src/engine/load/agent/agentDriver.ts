import type { AgentJob, AgentTester } from '../../../contract/agentProtocol';
import type { PullProtocol } from '../../../domain/plan/plan';
import type { SeriesId } from '../../../domain/series';
import { FullhouseError } from '../../../contract/calls';
import type { AgentLink } from '../../links/agentLink';
import type { LoadDriver, PullSample } from '../driver';
import { plainNames, type JobNames } from './jobNames';

/** What an agent of this version pulls by. */
export const agentPullProtocols = ['whep', 'rtmp', 'livekit'] as const satisfies readonly PullProtocol[];

/** An order to an agent is one frame of 1 MiB at most; what else it says needs little of that. */
const mostTokenBytes = 1_000_000;

/** The agent in its role as the audience. One that several consoles may call needs `names` that keep their jobs apart. */
export function agentDriver(link: AgentLink, names: JobNames = plainNames): LoadDriver {
  const mine = <Told extends { readonly job: string }>(all: readonly Told[]): Told[] =>
    all.flatMap((each) => {
      const job = names.ours(each.job);
      return job === undefined ? [] : [{ ...each, job }];
    });
  /** Jobs by RTMP: TCP hides what is lost, and the agent's 0 is no figure. */
  const lossless = new Set<string>();
  return {
    publisher: {
      start: async (order) => {
        await link.request('audience.publish', { ...order, job: names.agents(order.job) });
      },
      stop: async (job) => {
        await link.request('audience.unpublish', { job: names.agents(job) });
      },
      onSample: (listener) =>
        link.onRecord((record) => {
          if (record.kind === 'sample' && record.sample.publications)
            listener(mine(record.sample.publications));
        }),
    },
    get protocols() {
      return agentPullProtocols.filter((each) => (link.hello.protocols ?? ['whep']).includes(each));
    },
    get viewerLimit() {
      return link.hello.limits.viewers;
    },
    start: async ({
      job,
      protocol,
      url,
      viewers,
      ratePerSecond,
      mostHoldMs,
      nominalFps,
      realism,
      tokens,
      allowCrossOrigin,
    }) => {
      if (protocol === 'wcs')
        throw new FullhouseError('no-protocol', "An agent does not pull by WCS's own signalling.");
      if (tokens) checkSize(tokens);
      const { warnings } = await link.request('audience.start', {
        job: names.agents(job),
        protocol,
        url,
        viewers,
        ratePerSecond,
        holdMs: mostHoldMs,
        ...(nominalFps ? { nominalFps } : {}),
        ...(tokens ? { tokens: [...tokens] } : {}),
        ...(allowCrossOrigin ? { allowCrossOrigin } : {}),
        // An agent of an older version knows no other way than its own.
        ...(realism && realism !== 'lean' ? { realism } : {}),
      });
      if (protocol === 'rtmp') lossless.add(job);
      return { warnings: warnings ?? [] };
    },
    stop: (job, force) => link.request('audience.stop', { job: names.agents(job), force }, 5000),
    stopAll: (force) => link.request('stop-all', { force }, 5000),
    onSample: (listener) =>
      link.onRecord((record) => {
        if (record.kind !== 'sample' || !record.sample.jobs) return;
        const tester = record.sample.tester && testerValues(record.sample.tester);
        listener(mine(record.sample.jobs).map((job) => ({ ...pullSample(record.timeMs, job), tester })));
      }),
    viewers: async (job, offset, limit, state) => {
      const { total, viewers } = await link.request('audience.viewers', {
        job: names.agents(job),
        offset,
        limit,
        ...(state ? { state } : {}),
      });
      return {
        total,
        viewers: lossless.has(job)
          ? viewers.map((viewer) => ({ ...viewer, lossPercent: undefined }))
          : viewers,
      };
    },
    viewer: async (job, viewer) => {
      try {
        const { timeline, missed, route, streams, counters } = await link.request('audience.viewer', {
          job: names.agents(job),
          viewer,
        });
        return { timeline, missed, route, streams, counters };
      } catch (error) {
        if (error instanceof FullhouseError && error.code === 'unknown-call')
          throw noDetail('its agent is older');
        throw error;
      }
    },
  };
}

/** What is said where a tester can't tell more of a viewer. */
export function noDetail(why: string): FullhouseError {
  return new FullhouseError(
    'no-viewer-detail',
    `This tester has no details of single viewers: ${why}. Update the agent: remove it from the tester, then start a run.`,
  );
}

/** Refuses more tokens than an order holds. */
function checkSize(tokens: readonly string[]): void {
  const bytes = tokens.reduce((sum, token) => sum + token.length + 3, 0);
  if (bytes <= mostTokenBytes) return;
  const most = Math.floor((tokens.length * mostTokenBytes) / bytes);
  throw new FullhouseError(
    'too-many-tokens',
    `${tokens.length} viewers are too many for one order to an agent, since each needs a token of its own; let at most about ${most} come at once to one tester, or add testers.`,
  );
}

/** A job of the agent's sample in the driver's words. */
export function pullSample(timeMs: number, job: AgentJob): PullSample {
  const values: Partial<Record<SeriesId, number>> = {};
  const put = (series: SeriesId, value: number | undefined): void => {
    if (value !== undefined) values[series] = value;
  };
  put('frameRate', job.frameRate?.p50);
  put('frameRateP5', job.frameRate?.p5);
  put('connectP50Ms', job.connectMs?.p50);
  put('connectP95Ms', job.connectMs?.p95);
  put('connectP99Ms', job.connectMs?.p99);
  put('firstFrameP50Ms', job.firstFrameMs?.p50);
  put('firstFrameP95Ms', job.firstFrameMs?.p95);
  put('firstFrameP99Ms', job.firstFrameMs?.p99);
  put('jitterP50Ms', job.jitterMs?.p50);
  put('jitterP95Ms', job.jitterMs?.p95);
  put('jitterP99Ms', job.jitterMs?.p99);
  put('rttP50Ms', job.roundTripMs?.p50);
  put('rttP95Ms', job.roundTripMs?.p95);
  return {
    timeMs,
    job: job.job,
    state: job.state,
    requested: job.requested,
    waiting: job.waiting,
    connecting: job.connecting,
    connected: job.connected,
    failed: job.failed,
    degraded: job.degraded,
    present: job.present,
    rateAsked: job.arrivalRateAsked,
    rateAchieved: job.arrivalRateAchieved,
    bitrateKbps: job.bitrateKbps,
    packetsPerSecond: job.packetsPerSecond,
    lossPercent: job.lossPercent,
    freezes: job.freezes,
    values,
    failures: job.failures,
  };
}

/** What an agent knows of its own machine, under the series' names. Samples are a second apart, so counts of an interval are rates. */
export function testerValues(tester: AgentTester): Partial<Record<SeriesId, number>> {
  const { memoryAvailableBytes: available, memoryTotalBytes: total } = tester;
  return {
    testerHostCpuPercent: tester.hostCpuPercent,
    testerReaderBusyPercent: tester.readerBusyPercent,
    testerReaderWaitPercent: tester.readerWaitPercent,
    testerSocketDropsPerSecond: tester.socketDrops,
    testerReceiveBufferErrorsPerSecond: tester.receiveBufferErrors,
    testerOpenFilesLimit: tester.openFilesLimit,
    testerMemoryAvailablePercent: available !== undefined && total ? (100 * available) / total : undefined,
    testerNetworkPercent: tester.networkPercent,
    testerNetworkDropsPerSecond: tester.networkDrops,
    testerFailedHere: tester.failedHere,
  };
}
