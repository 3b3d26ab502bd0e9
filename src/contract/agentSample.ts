import { publisherProtocols } from '../domain/model/plan';
import { z } from 'zod';
import { distributionIds, distributions, type DistributionId } from '../domain/series/distributions';
import { alwaysSent, count, counter, loose, timeMs, unlessZero } from './agentFields';
import { networkSample } from './networkProtocol';
import { mediaOfStream } from './streamSchemas';
import { jobFailure } from './viewerSchemas';

/** What an agent reports unasked: a sample every second, and events. */

export const processSample = z
  .object({
    cpuPercent: z.number().optional().describe('User and system time in percent of one core.'),
    memoryBytes: unlessZero(loose('uint64')),
    openFiles: unlessZero(loose('int')),
    goroutines: alwaysSent(loose('int')),
    gcPauseMaxMs: z
      .number()
      .optional()
      .describe('The longest stop-the-world time of a collection that ended in the interval.'),
    gcPauses: alwaysSent(loose('int')),
  })
  .meta({
    id: 'ProcessSample',
    description: "The agent's own process within one interval. Figures that the system does not report are absent.",
  });
export type ProcessSample = z.infer<typeof processSample>;

/** Delays are sent with the reference of their clocks; those of browsers are not an agent's. */
type OtherDistributionId = 'senderReportDelayMs' | 'captureDelayMs' | 'glassToGlassMs';
type JobDistributionId = Exclude<DistributionId, OtherDistributionId>;
const jobDistributions = distributionIds.filter(
  (id): id is JobDistributionId => id !== 'senderReportDelayMs' && id !== 'captureDelayMs' && id !== 'glassToGlassMs',
);
/** Longer than that of a histogram with all of its buckets. */
const maxHistogramText = 60_000;

const percentiles = z
  .object({ p50: z.number(), p95: z.number(), p99: alwaysSent(z.number()) })
  .meta({ id: 'Percentiles', description: 'A figure over the publishers, where high is bad.' });

/** A histogram as text: base64 of its one encoding (`engine/base/histogramBytes.ts`). */
const histogram = z
  .string()
  .max(maxHistogramText)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/);

const distributionSample = z
  .object(
    Object.fromEntries(
      jobDistributions.map((id) => [id, histogram.optional().describe(distributions[id].meaning)]),
    ) as Record<JobDistributionId, z.ZodOptional<typeof histogram>>,
  )
  .meta({
    id: 'DistributionSample',
    description: "Histograms of the figures of a job's viewers in the interval; absent if nothing was measured.",
  });

const turnSample = z
  .object({
    viewers: count.describe('Connected viewers that are relayed.'),
  })
  .meta({ id: 'TURNSample', description: 'The relayed viewers of a job.' });

const repairSample = z
  .object({
    retransmittedPacketsPerSecond: z.number(),
    retransmittedKbps: z.number(),
    fecPacketsPerSecond: z.number(),
    fecKbps: z.number(),
    lossBeforePercent: z.number().optional().describe('Loss before repair, of the packets expected in the interval.'),
  })
  .meta({
    id: 'RepairSample',
    description:
      'What servers sent to repair loss on separate streams: retransmissions (RTX, RFC 4588) and forward error correction (FlexFEC, RFC 8627).',
  });

const delaySample = z
  .object({
    referenceMs: z
      .number()
      .describe('What was subtracted from each delay, so that clocks far apart do not make the buckets coarse.'),
    senderReportMs: histogram
      .optional()
      .describe('The delays of viewers without capture times, by RTCP sender reports.'),
    captureTimeMs: histogram.optional().describe('By the header extension abs-capture-time.'),
    clocksDiffer: unlessZero(count).describe(
      'Viewers without a delay because the clock of their sender is more than an hour away from that of the tester.',
    ),
  })
  .meta({
    id: 'DelaySample',
    description:
      "From the sender's time of a packet to its arrival, by the clock of the tester, of the viewers that received media in the interval. Can be negative where the clocks differ.",
  });

export const jobSample = z
  .object({
    job: z.string(),
    state: z
      .enum(['ramping-up', 'holding', 'tearing-down', 'ended'])
      .meta({ id: 'JobState', description: 'The state of a job.' }),
    requested: count,
    waiting: count,
    connecting: count,
    connected: count,
    failed: count,
    disconnected: count,
    present: count.describe('Viewers that still have a session or a socket: 0 proves that all have disconnected.'),
    degraded: count,
    arrivalRateTarget: z.number(),
    arrivalRateAchieved: z.number().describe('Over all starts so far, from the first to the latest.'),
    bitrateKbps: z.number(),
    packetsPerSecond: z.number(),
    lossPercent: z.number().optional(),
    distributions: distributionSample.optional(),
    delay: delaySample.optional().describe('WebRTC only.'),
    layers: z
      .array(
        z
          .object({ width: count, height: count, viewers: count })
          .meta({ id: 'LayerShare', description: 'How many viewers receive a layer of this size.' }),
      )
      .max(16)
      .optional()
      .describe('The layers of simulcast or scalable video, from the largest.'),
    stalls: counter.describe("Since the job's start."),
    freezeCount: counter
      .optional()
      .describe("By the rule of W3C webrtc-stats, of whole frames, since the job's start; absent without video."),
    freezeDurationMs: z.number().optional().describe('The total length of these freezes.'),
    damagedPackets: unlessZero(counter).describe(
      "Packets that failed to decrypt with their session's keys since the job started.",
    ),
    reconnecting: unlessZero(count).describe('Viewers that lost their connection and are not connected again.'),
    reconnects: unlessZero(count).describe("Since the job's start."),
    replaced: unlessZero(count).describe(
      "Viewers that have watched for their time and whose place a new one took, since the job's start.",
    ),
    reconnectMs: z
      .number()
      .optional()
      .describe(
        'The length of an outage that ended in the interval: from the first viewer lost to the last one connected again.',
      ),
    failures: z.array(jobFailure),
    network: networkSample.optional().describe('Absent without a simulated network.'),
    overTcp: count
      .optional()
      .describe('Connected viewers of WebRTC whose media comes over TCP. Absent if the transport is UDP.'),
    repair: repairSample.optional().describe('WebRTC only.'),
    turn: turnSample.optional().describe('Absent if the job uses no TURN server.'),
  })
  .meta({
    id: 'JobSample',
    description: "One job's second.",
  });
export type JobSample = z.infer<typeof jobSample>;

/** Protocols by which an agent publishes. */
export const publishProtocol = z
  .enum(publisherProtocols)
  .meta({ id: 'PublishProtocol', description: 'What an audience publishes by.' });

/** What the server reports to publishers, or the system about their connections. */
const sentFigures = {
  packetsPerSecond: unlessZero(z.number()).describe('WebRTC only.'),
  retransmissions: unlessZero(counter).describe('Packets sent again on request in the interval; segments of RTMP.'),
  keyframeRequests: unlessZero(counter).describe('Keyframes requested in the interval; WebRTC only.'),
  lossPercent: z.number().optional().describe('WebRTC only, by the latest reports of the server.'),
  unacknowledgedKb: z.number().optional().describe('RTMP only: sent or waiting, but not acknowledged (Linux).'),
};

/** One of a job's publishers. */
export const agentPublisher = z
  .object({
    publisher: count.describe('Counts from 1.'),
    state: z
      .enum(['waiting', 'connecting', 'live', 'failed', 'ended'])
      .meta({ id: 'PublisherState', description: 'The state of a publisher.' }),
    sinceMs: timeMs,
    bytes: counter,
    frames: counter,
    retransmissions: unlessZero(counter).describe('Since its start, as the other counts.'),
    keyframeRequests: unlessZero(counter),
    lossPercent: z.number().optional(),
    unacknowledgedKb: z.number().optional(),
    roundTripMs: z.number().optional(),
    interruptions: unlessZero(count).describe('How often it was lost and published again.'),
    problem: z.string().optional(),
  })
  .meta({ id: 'AgentPublisher', description: 'One publisher of a job.' });
export type AgentPublisher = z.infer<typeof agentPublisher>;

const mediaClock = z
  .object({
    startMs: timeMs.describe('When time 0 of the sample was due in the current loop.'),
    sinceMs: timeMs.describe('Since when this holds: a connection, a requested keyframe and a stall begin anew.'),
    durationMs: count.describe('The length of the loop.'),
  })
  .meta({ id: 'MediaClock', description: 'When a publisher sends which time of its sample.' });

export const agentPublication = z
  .object({
    job: z.string(),
    protocol: publishProtocol,
    state: z
      .enum(['connecting', 'live', 'failed', 'ended'])
      .meta({ id: 'PublicationState', description: 'The state of a publication. Connecting may follow live.' }),
    bitrateKbps: z.number(),
    fps: z.number(),
    sinceMs: timeMs.describe('Unix time of its last state change.'),
    silentMs: unlessZero(timeMs).describe(
      'For how long the server had not responded when a publisher was noticed to be lost; of several the longest.',
    ),
    problem: z
      .string()
      .optional()
      .describe('One sentence, unless live; of several publishers that of the latest problem.'),
    requested: unlessZero(count).describe('The number of publishers; absent for a single one.'),
    waiting: unlessZero(count).describe('Not started yet.'),
    connecting: unlessZero(count),
    live: unlessZero(count),
    failed: unlessZero(count),
    ...sentFigures,
    roundTripMs: percentiles.optional(),
    mediaClock: mediaClock.optional().describe('The clock of a single publisher that is live, with one layer.'),
  })
  .meta({
    id: 'AgentPublication',
    description: 'A stream that an audience publishes, or the streams of several publishers.',
  });
export type AgentPublication = z.infer<typeof agentPublication>;

export const testerSample = z
  .object({
    hostCpuPercent: z
      .number()
      .optional()
      .describe("Busy share of all cores, or of the process's quota where less is left of that."),
    readerBusyPercent: z
      .number()
      .optional()
      .describe('Share of time in which the reading thread worked; at 100 it cannot read faster.'),
    readerWaitPercent: z
      .number()
      .optional()
      .describe('Share of time in which the reading thread was runnable and waited for a processor.'),
    socketDrops: counter
      .optional()
      .describe("Datagrams dropped at the viewers' sockets because they were not read in time."),
    receiveBufferErrors: counter.optional().describe('RcvbufErrors of the machine, UDP over IPv4 and IPv6.'),
    openFiles: unlessZero(count),
    openFilesLimit: unlessZero(counter).describe('Absent if unlimited.'),
    memoryAvailableBytes: loose('uint64').optional(),
    memoryTotalBytes: loose('uint64')
      .optional()
      .describe("The total for memoryAvailableBytes: the machine's memory, or the agent's own limit if lower."),
    networkPercent: z
      .number()
      .optional()
      .describe('The busiest interface of known speed: its utilization in the busier direction.'),
    networkInterface: z.string().optional(),
    networkDrops: counter
      .optional()
      .describe("Packets that the machine's interfaces received and dropped before they reached a socket."),
    reconnectsWithoutFiles: unlessZero(counter).describe(
      'Attempts of lost viewers to reconnect that failed because this machine had no open files left. They try again.',
    ),
    reconnectsWithoutPorts: unlessZero(counter).describe('The same because no local port was left.'),
    failedOnTester: alwaysSent(count.meta({ goType: 'int64' })).describe(
      'Viewers that failed since the agent started because this machine ran out of files, ports or memory.',
    ),
  })
  .meta({
    id: 'TesterSample',
    description:
      "An audience's own machine over one second: whether it, not the server, limits its viewers. Figures that the system does not report are absent.",
  });
export type TesterSample = z.infer<typeof testerSample>;

export const labStream = z
  .object({
    stream: z.string(),
    source: z.string(),
    ageMs: alwaysSent(loose('int64')),
    viewers: count,
    connecting: alwaysSent(count),
    ...mediaOfStream,
    budgetPercent: z.number().optional().describe('Used share of a simulated CPU budget; absent without one.'),
  })
  .meta({ id: 'LabStream', description: 'A stream of the lab.' });
export type LabStream = z.infer<typeof labStream>;

const labFigures = z
  .object({
    viewers: count,
    bitrateOutKbps: z.number(),
    packetsOutPerSecond: z.number(),
    sendErrors: alwaysSent(loose('uint64')),
    degraded: alwaysSent(count).describe('Viewers whose last receiver report states more than 2 % loss.'),
    streams: z.array(labStream),
  })
  .meta({ id: 'LabFigures', description: "The lab's figures of one interval, of UDP payload." });

export const audienceSample = z
  .object({
    process: processSample,
    jobs: z.array(jobSample),
    publications: z.array(agentPublication).optional(),
    tester: testerSample.optional().describe('Absent without viewers.'),
  })
  .meta({ id: 'AudienceSample', description: "An audience's sample of one second." });

export const labSample = z
  .object({ process: processSample, lab: labFigures })
  .meta({ id: 'LabSample', description: "A lab's sample of one second." });

/** A sample of either role: an audience has `jobs` and, while it publishes, `publications`; a lab has `lab`. */
const agentSample = z
  .object({ ...audienceSample.partial().shape, ...labSample.partial().shape, process: processSample })
  .meta({ goType: 'any' });

export const eventNames = [
  'job-ended',
  'unattended',
  'clock-stepped',
  'warning',
  'reconnected',
  'stream-published',
  'stream-ended',
  'publication-lost',
  'publication-live',
] as const;

const agentEvent = z
  .object({
    name: z.string().meta({ goType: 'EventName', description: 'Later agents may send more than these.' }),
    job: z.string().optional(),
    stream: z.string().optional(),
    stepMs: unlessZero(z.number().int().meta({ goType: 'int64' })).describe(
      "By how much the clock of the agent's machine was set, of clock-stepped.",
    ),
    silentMs: unlessZero(timeMs).describe('For how long the server had not responded, with publication-lost.'),
    message: z.string(),
  })
  .meta({ id: 'AgentEvent', description: 'Something that happened, described in one sentence.' });
export type AgentEvent = z.infer<typeof agentEvent>;

const recordHead = { type: z.literal('record'), sequence: counter.positive(), timeMs };

export const agentRecord = z
  .discriminatedUnion('kind', [
    z.object({ ...recordHead, kind: z.literal('sample'), sample: agentSample }),
    z.object({ ...recordHead, kind: z.literal('event'), event: agentEvent }),
  ])
  .meta({ id: 'AgentRecord', description: 'One numbered sample or event.' });
export type AgentRecord = z.infer<typeof agentRecord>;
