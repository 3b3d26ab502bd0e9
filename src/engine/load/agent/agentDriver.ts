import type { JobSample, AgentPublication, TesterSample } from '../../../contract/agentSample';
import { measuresLoss, pullProtocols } from '../../../domain/model/protocols';
import type { NetworkSample } from '../../../contract/networkProtocol';
import { orderedOptions } from '../../../domain/plan/optionRules';
import { elementSize } from '../../../domain/plan/pullRules';
import type { SeriesId } from '../../../domain/series/series';
import { FullhouseError } from '../../../contract/calls';
import type { AgentLink } from '../../links/agentLink';
import { histogramOfText } from '../../base/histogramBytes';
import { jobDistributions } from '../../base/sampleHistograms';
import type { JobDelay, LoadDriver, PublicationSample, PullSample } from '../driver';
import { jobNetwork } from './jobNetwork';
import { plainNames, type JobNames } from './jobNames';

/** A request to an agent is one frame of 1 MiB at most; its other fields need little of that. */
const maxTokenBytes = 1_000_000;

/** The agent in its audience role. One that several consoles may use needs `names` that keep their jobs apart. */
export function agentDriver(link: AgentLink, names: JobNames = plainNames): LoadDriver {
  const ownJobs = <Reported extends { readonly job: string }>(all: readonly Reported[]): Reported[] =>
    all.flatMap((each) => {
      const job = names.ours(each.job);
      return job === undefined ? [] : [{ ...each, job }];
    });
  /** Jobs without a measurement of loss, e.g. over TCP, which hides it: what the agent counts are its reads. */
  const lossless = new Set<string>();
  return {
    publisher: {
      start: async (order) => {
        const { warnings } = await link.request('audience.publish', { ...order, job: names.agents(order.job) });
        return { warnings: warnings ?? [] };
      },
      stop: async (job) => {
        await link.request('audience.unpublish', { job: names.agents(job) });
      },
      publishers: (job, offset, limit) =>
        link.request('audience.publishers', { job: names.agents(job), offset, limit }),
      onSample: (listener) =>
        link.onRecord((record) => {
          if (record.kind === 'sample' && record.sample.publications)
            listener(ownJobs(record.sample.publications).map(publicationSample(record.timeMs, link)), record.timeMs);
        }),
    },
    get remoteClock() {
      return link.remoteClock;
    },
    get protocols() {
      return pullProtocols.filter((protocol) => (link.hello.protocols ?? ['whep']).includes(protocol));
    },
    get viewerLimit() {
      return link.hello.limits.viewers;
    },
    start: async ({
      job,
      protocol,
      url,
      urls,
      stream,
      viewers,
      ratePerSecond,
      maxHoldMs,
      nominalFps,
      adaptiveStream,
      watchFor,
      network,
      networkForMs = 0,
      turn,
      rooms,
      tokens,
      headers,
      allowCrossOrigin,
      selfSigned,
      proxy,
      login,
      ...others
    }) => {
      if (tokens) checkSize(tokens);
      const simulated = jobNetwork(network, networkForMs);
      const { warnings } = await link.request('audience.start', {
        job: names.agents(job),
        protocol,
        ...(urls ? { urls: [...urls] } : { url }),
        ...(protocol === 'wcs' ? { stream } : {}),
        viewers,
        ratePerSecond,
        holdMs: maxHoldMs,
        ...(nominalFps ? { nominalFps } : {}),
        ...(tokens ? { tokens: [...tokens] } : {}),
        ...(headers ? { headers: [...headers.fields], firstViewer: headers.firstViewer } : {}),
        ...(allowCrossOrigin ? { allowCrossOrigin } : {}),
        ...(selfSigned ? { selfSigned } : {}),
        ...(proxy ? { proxy } : {}),
        ...(login ? { login } : {}),
        ...orderedOptions({ ...others, protocol }),
        ...(adaptiveStream === undefined ? {} : { adaptiveStream: elementSize(adaptiveStream) }),
        ...(watchFor ? { watch: watchFor } : {}),
        ...(rooms ? { room: { size: rooms.size, sample: rooms.source } } : {}),
        ...(simulated ? { network: simulated } : {}),
        ...(turn ? { turn } : {}),
      });
      if (!measuresLoss(protocol)) lossless.add(job);
      return { warnings: warnings ?? [] };
    },
    stop: (job, force) => link.request('audience.stop', { job: names.agents(job), force }, 5000),
    stopAll: (force) => link.request('stop-all', { force }, 5000),
    onSample: (listener) =>
      link.onRecord((record) => {
        if (record.kind !== 'sample' || !record.sample.jobs) return;
        const tester = record.sample.tester && testerValues(record.sample.tester);
        listener(
          ownJobs(record.sample.jobs).map((job) => ({
            ...pullSample(record.timeMs, job),
            ...(lossless.has(job.job) && { packetsPerSecond: undefined }),
            tester,
          })),
        );
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
        viewers: lossless.has(job) ? viewers.map((viewer) => ({ ...viewer, lossPercent: undefined })) : viewers,
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
        if (error instanceof FullhouseError && error.code === 'unknown-call') throw noDetail('its agent is older');
        throw error;
      }
    },
  };
}

/** Error where a tester has no more details of a viewer. */
function noDetail(why: string): FullhouseError {
  return new FullhouseError(
    'no-viewer-detail',
    `This tester has no details of single viewers: ${why}. Update the agent: remove it from the tester, then start a run.`,
  );
}

/** Rejects more tokens than an order can contain. */
function checkSize(tokens: readonly string[]): void {
  const bytes = tokens.reduce((sum, token) => sum + token.length + 3, 0);
  if (bytes <= maxTokenBytes) return;
  const maxViewers = Math.floor((tokens.length * maxTokenBytes) / bytes);
  throw new FullhouseError(
    'too-many-tokens',
    `${tokens.length} viewers with a token each are too many for one request to an agent; start at most about ${maxViewers} at once on one tester, or add testers.`,
  );
}

/** Both ends round times to whole ms. */
const roundingMs = 1;

/** A publication of the agent's sample in the driver's format. */
const publicationSample =
  (timeMs: number, { remoteClock }: Pick<AgentLink, 'remoteClock'>) =>
  ({ mediaClock, ...publication }: AgentPublication): PublicationSample => ({
    ...publication,
    ...(mediaClock &&
      remoteClock && {
        mediaClock: { ...mediaClock, untilMs: timeMs, uncertaintyMs: remoteClock.uncertaintyMs + roundingMs },
      }),
  });

/** A job of the agent's sample in the driver's format. */
export function pullSample(timeMs: number, job: JobSample): PullSample {
  const values: Partial<Record<SeriesId, number>> = {};
  const put = (series: SeriesId, value: number | undefined): void => {
    if (value !== undefined) values[series] = value;
  };
  put('reconnectMs', job.reconnectMs);
  if (job.network) Object.assign(values, networkValues(job.network));
  put('lossBeforeRepairPercent', job.repair?.lossBeforePercent);
  put('retransmittedPacketsPerSecond', job.repair?.retransmittedPacketsPerSecond);
  put('retransmittedMbps', mbps(job.repair?.retransmittedKbps));
  put('fecPacketsPerSecond', job.repair?.fecPacketsPerSecond);
  put('fecMbps', mbps(job.repair?.fecKbps));
  put('viewersOverTcp', job.overTcp);
  put('viewersRelayed', job.turn?.viewers);
  for (const { width, height, viewers } of job.layers ?? []) put(`viewersOfLayer:${width}x${height}`, viewers);
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
    rateTarget: job.arrivalRateTarget,
    rateAchieved: job.arrivalRateAchieved,
    bitrateKbps: job.bitrateKbps,
    packetsPerSecond: job.packetsPerSecond,
    lossPercent: job.lossPercent,
    stalls: job.stalls,
    freezeCount: job.freezeCount,
    freezeDurationMs: job.freezeDurationMs,
    ...(job.reconnecting === undefined ? {} : { reconnecting: job.reconnecting }),
    ...(job.reconnects === undefined ? {} : { reconnects: job.reconnects }),
    ...(job.replaced === undefined ? {} : { replaced: job.replaced }),
    ...(job.delay ? { delay: jobDelay(job.delay) } : {}),
    distributions: jobDistributions(job),
    values,
    failures: job.failures,
  };
}

function jobDelay({
  referenceMs,
  senderReportMs,
  captureTimeMs,
  clocksDiffer,
}: NonNullable<JobSample['delay']>): JobDelay {
  return {
    referenceMs,
    ...(senderReportMs === undefined ? {} : { senderReportDelayMs: histogramOfText(senderReportMs) }),
    ...(captureTimeMs === undefined ? {} : { captureDelayMs: histogramOfText(captureTimeMs) }),
    ...(clocksDiffer === undefined ? {} : { clocksDiffer }),
  };
}

const mbps = (kbps: number | undefined): number | undefined => (kbps === undefined ? undefined : kbps / 1000);

/** What the simulated network of a job did. Samples are a second apart, so counts of an interval are rates. */
function networkValues({ down, up }: NetworkSample): Partial<Record<SeriesId, number>> {
  const values: Partial<Record<SeriesId, number | undefined>> = {
    simulatedDownMbps: mbps(down.kbps),
    simulatedDownLimitMbps: mbps(down.limitKbps),
    simulatedDownRandomDropsPerSecond: down.randomDrops,
    simulatedDownBurstDropsPerSecond: down.burstDrops,
    simulatedDownQueueDropsPerSecond: down.queueDrops,
    simulatedDownQueueP50Ms: down.queueP50Ms,
    simulatedDownQueueMaxMs: down.queueMaxMs,
    simulatedUpMbps: mbps(up.kbps),
    simulatedUpLimitMbps: mbps(up.limitKbps),
    simulatedUpRandomDropsPerSecond: up.randomDrops,
    simulatedUpBurstDropsPerSecond: up.burstDrops,
    simulatedUpQueueDropsPerSecond: up.queueDrops,
    simulatedUpQueueP50Ms: up.queueP50Ms,
    simulatedUpQueueMaxMs: up.queueMaxMs,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * The agent's figures of its own machine, by series name. Samples are a second apart, so counts of an interval are
 * rates.
 */
function testerValues(tester: TesterSample): Partial<Record<SeriesId, number>> {
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
    reconnectsWithoutFilesPerSecond: tester.reconnectsWithoutFiles,
    reconnectsWithoutPortsPerSecond: tester.reconnectsWithoutPorts,
    viewersFailedOnTester: tester.failedOnTester,
  };
}
