import { degradedRule, degradedText } from '../viewer/degraded';
import {
  allPercentileSeries,
  distributions,
  type DistributionDefinition,
  type PercentileSeriesId,
} from './distributions';

/**
 * Every figure that a run can record, declared once: its unit, its definition and its source.
 * Charts, thresholds and exports share these definitions, whatever the source.
 */

/** Units as displayed after a number; a sample's value is always in its series' unit. */
export type Unit =
  '' | '%' | 'ms' | 's' | '/s' | 'fps' | 'Mbit/s' | 'kbit/s' | 'bytes' | 'packets/s' | 'frames' | 'packets' | 'dB';

/**
 * Source of a measurement: the node's host, one process of the run, the origin itself, the audience, or the control
 * player.
 */
export type SeriesSource = 'host' | 'process' | 'origin' | 'audience' | 'player';

export interface SeriesDefinition {
  /** Display title, without the unit. */
  readonly title: string;
  readonly unit: Unit;
  readonly source: SeriesSource;
  /** One sentence: what is measured and over which time. */
  readonly meaning: string;
}

function define(title: string, unit: Unit, source: SeriesSource, meaning: string): SeriesDefinition {
  return { title, unit, source, meaning };
}

const statTitles = { P50: 'p50', P95: 'p95', P99: 'p99', Max: 'max', P5: 'p5', P1: 'p1', Min: 'min' } as const;
const statMeanings = {
  P50: '',
  P95: 'The same, 95th percentile.',
  P99: 'The same, 99th percentile.',
  Max: 'The same, the highest.',
  P5: 'The same, 5th percentile: 95 % of the viewers have more.',
  P1: 'The same, 1st percentile.',
  Min: 'The same, the lowest.',
} as const;

/** The percentiles of all distributions (`distributions.ts`). */
function percentileDefinitions(): Readonly<Record<PercentileSeriesId, SeriesDefinition>> {
  const all = allPercentileSeries.map(({ id, distribution, stat }): [string, SeriesDefinition] => {
    const { title, unit, meaning, source }: DistributionDefinition = distributions[distribution];
    return [id, define(`${title} ${statTitles[stat]}`, unit, source ?? 'audience', statMeanings[stat] || meaning)];
  });
  return Object.fromEntries(all) as Record<PercentileSeriesId, SeriesDefinition>;
}

/** Of a pipeline delay: what is subtracted, and where that is right. */
const pipelineMeaning = (who: string, combined?: string): string =>
  `Glass-to-glass delay of ${who} less its network round trip: what encoder, server, jitter buffer, decoder and display take${combined === undefined ? '' : `; ${combined} of all`}. Over WebRTC, with the test pattern of this window. The round trip stands for the way to the server and that back from it, so it is right only if the pattern is published over WebRTC too, to the same server.`;

export const seriesDefinitions = {
  cpuPercent: define('CPU', '%', 'host', 'Busy share of all cores of the host, from /proc/stat, over the last second.'),
  otherCpuPercent: define(
    'CPU by other programs',
    '%',
    'host',
    'Share of all cores used by programs other than the server under test, our agents and this console, without interrupts and steal time.',
  ),
  consoleCpuPercent: define(
    'CPU by this console',
    '%',
    'host',
    'Share of all cores used by the console itself: its window, its engine and the programs that it started, without our agents.',
  ),
  stolenCpuPercent: define(
    'CPU steal',
    '%',
    'host',
    'Share of all cores that a virtual machine was ready to use but its hypervisor gave to others (steal time).',
  ),
  cpuPressurePercent: define(
    'CPU pressure',
    '%',
    'host',
    'Share of the last second in which at least one task waited for a processor, from /proc/pressure/cpu.',
  ),
  load1: define('Load 1 min', '', 'host', 'Runnable and uninterruptible tasks, averaged over 1 minute by the kernel.'),
  load5: define('Load 5 min', '', 'host', 'The same over 5 minutes.'),
  load15: define('Load 15 min', '', 'host', 'The same over 15 minutes.'),
  memoryUsedBytes: define('Memory used', 'bytes', 'host', 'MemTotal less MemAvailable.'),
  otherMemoryBytes: define(
    'Memory used by other programs',
    'bytes',
    'host',
    'Memory used, less the resident memory of the server under test and of our agents.',
  ),
  diskBusyPercent: define(
    'Disk busy',
    '%',
    'host',
    'Share of the last second in which the busiest disk had requests in progress.',
  ),
  diskFreeBytes: define(
    'Disk free',
    'bytes',
    'host',
    'Space that programs can still use on the root file system (on Windows on C:), every 10 s or as the exporter reports it.',
  ),
  networkInMbps: define(
    'Bandwidth in',
    'Mbit/s',
    'host',
    'Received on the wires of the default routes, each once (loopback included for a lab on this machine).',
  ),
  networkOutMbps: define(
    'Bandwidth out',
    'Mbit/s',
    'host',
    'Sent on the wires of the default routes, each once (loopback included for a lab on this machine).',
  ),
  udpInErrorsPerSecond: define('UDP in errors', '/s', 'host', 'InErrors of /proc/net/snmp.'),
  udpReceiveBufferErrorsPerSecond: define(
    'UDP receive buffer errors',
    '/s',
    'host',
    'RcvbufErrors: datagrams dropped because a socket buffer was full.',
  ),
  udpSendBufferErrorsPerSecond: define(
    'UDP send buffer errors',
    '/s',
    'host',
    'SndbufErrors: datagrams dropped because a socket buffer was full.',
  ),
  socketsUsed: define('Sockets', '', 'host', 'Sockets of all kinds in use, from /proc/net/sockstat.'),
  udpSockets: define('UDP sockets', '', 'host', 'UDP sockets in use.'),
  tcpSockets: define('TCP sockets', '', 'host', 'TCP sockets in use.'),

  processCpuPercent: define(
    'Process CPU',
    '%',
    'process',
    "CPU of the node's own process, in percent of one core, over the last second.",
  ),
  processMemoryBytes: define('Process memory', 'bytes', 'process', "Resident memory of the node's own process."),
  processOpenFiles: define('Open files', '', 'process', "Open file descriptors of the node's own process."),
  processThreads: define('Threads', '', 'process', "Threads of the node's own process."),
  processWaitPercent: define(
    'Process CPU wait',
    '%',
    'process',
    "Time that the threads of the node's own process were runnable but waited for a processor, in percent of one core, over the last second.",
  ),
  gcPauseMs: define(
    'GC pause',
    'ms',
    'process',
    'Longest stop-the-world pause that ended in the last second; no sample without a pause.',
  ),

  originViewers: define(
    'Viewers, origin count',
    '',
    'origin',
    "Viewers counted by the origin, less the console's own control player.",
  ),
  originDegraded: define('Degraded, origin count', '', 'origin', 'Degraded viewers counted by the origin.'),
  originOutMbps: define('Media out', 'Mbit/s', 'origin', 'Media sent to viewers, as counted by the origin.'),
  originInMbps: define('Media in', 'Mbit/s', 'origin', 'Media received from publishers, as counted by the origin.'),
  originStreams: define('Streams', '', 'origin', 'Streams that the origin serves, as counted by itself.'),
  originConnections: define('Connections', '', 'origin', 'Clients connected, as counted by the origin.'),
  originResponseMs: define('API response', 'ms', 'origin', "Response time of the origin's API."),
  originPacketsPerSecond: define(
    'Packets out',
    'packets/s',
    'origin',
    'Media packets sent to viewers, as counted by the origin.',
  ),

  publishersRequested: define(
    'Target publishers',
    '',
    'audience',
    'Publishers that the tester or the window was to start.',
  ),
  publishersConnecting: define('Publishers connecting', '', 'audience', 'Publishers whose stream is not accepted yet.'),
  publishersLive: define('Publishers live', '', 'audience', 'Publishers whose stream the server has accepted.'),
  publishersFailed: define('Publishers failed', '', 'audience', 'Publishers that were refused or gave up.'),
  publishMbps: define('Published', 'Mbit/s', 'audience', 'Sent by all publishers, with RTP or RTMP headers.'),
  publishRttP50Ms: define(
    'Publisher round trip p50',
    'ms',
    'audience',
    "Of the publishers: by the server's receiver reports, over RTMP by the kernel; of the window's by ICE.",
  ),
  publishRttP95Ms: define('Publisher round trip p95', 'ms', 'audience', 'The same, 95th percentile.'),
  publishRetransmissionsPerSecond: define(
    'Publisher retransmissions',
    '/s',
    'audience',
    "Packets sent again on the server's requests (NACK); over RTMP segments, by the kernel.",
  ),
  publishKeyframeRequestsPerSecond: define(
    'Keyframe requests',
    '/s',
    'audience',
    'Requests for keyframes (PLI, FIR) that publishers received.',
  ),
  publishLossPercent: define(
    'Publisher loss',
    '%',
    'audience',
    "Mean of the latest receiver reports about the publishers' video.",
  ),
  publishLimitedPercent: define(
    'Publisher quality limited',
    '%',
    'audience',
    "Share of the last second in which CPU or bandwidth limited what the window's encoder sent (qualityLimitationDurations); of several layers or publications the most limited one.",
  ),
  publishUnacknowledgedBytes: define(
    'Publishers, not acknowledged',
    'bytes',
    'audience',
    'Over RTMP: sent or waiting, and not acknowledged by the server, in total.',
  ),
  viewersRequested: define('Target viewers', '', 'audience', 'Target size of the audience.'),
  viewersConnecting: define('Connecting', '', 'audience', 'Viewers between arrival and their first media packet.'),
  viewersConnected: define('Viewers', '', 'audience', 'Viewers that receive media.'),
  viewersFailed: define('Failed', '', 'audience', 'Viewers that failed since the job started.'),
  viewersDegraded: define(
    'Degraded',
    '',
    'audience',
    `Connected viewers that are degraded. A viewer is degraded when, ${degradedText}.`,
  ),
  viewersReconnecting: define(
    'Reconnecting',
    '',
    'audience',
    'Viewers that lost their connection and are not connected again. Only in audiences that reconnect.',
  ),
  reconnectsTotal: define(
    'Reconnects',
    '',
    'audience',
    'How often a lost viewer was connected again, since the job started.',
  ),
  replacedTotal: define(
    'Replaced',
    '',
    'audience',
    'Viewers that had watched for their time and whose place a new one took, since the job started.',
  ),
  reconnectMs: define(
    'Reconnect time',
    'ms',
    'audience',
    'From the first viewer that lost its connection to the last one that is connected again; recorded when it is.',
  ),
  arrivalRateTarget: define('Target rate', '/s', 'audience', 'Target arrivals per second.'),
  arrivalRateAchieved: define('Rate', '/s', 'audience', 'Achieved arrivals per second.'),
  mediaInMbps: define('Media in', 'Mbit/s', 'audience', 'Media received by all viewers of the tester.'),
  packetsPerSecond: define(
    'Packets in',
    'packets/s',
    'audience',
    'Media packets received by all viewers of the tester.',
  ),
  lossPercent: define('Loss', '%', 'audience', 'Packets missing after repair, of those expected in the last second.'),
  lossBeforeRepairPercent: define(
    'Loss before repair',
    '%',
    'audience',
    'Packets of WebRTC that were lost, with those that the server retransmitted in time, of those expected in the last second.',
  ),
  retransmittedPacketsPerSecond: define(
    'Retransmissions in',
    'packets/s',
    'audience',
    'Packets received on streams for retransmissions (RTX, RFC 4588). Only those that filled a gap also count as media.',
  ),
  retransmittedMbps: define('Retransmissions in, rate', 'Mbit/s', 'audience', 'The same, with RTP headers.'),
  fecPacketsPerSecond: define(
    'FEC in',
    'packets/s',
    'audience',
    'Packets received on streams of forward error correction (FlexFEC, RFC 8627). Not counted as media.',
  ),
  fecMbps: define('FEC in, rate', 'Mbit/s', 'audience', 'The same, with RTP headers.'),
  viewersOverTcp: define(
    'Viewers over TCP',
    '',
    'audience',
    'Connected viewers of WebRTC whose media comes over TCP (RFC 6544), without a TURN server.',
  ),
  viewersRelayed: define(
    'Relayed viewers',
    '',
    'audience',
    'Connected viewers whose media passes through a TURN server.',
  ),
  ...percentileDefinitions(),
  stallsTotal: define(
    'Stalls',
    '',
    'audience',
    `Gaps of ${degradedRule.stallMs} ms or more without a complete frame (without video: without audio), since the job started, all viewers in total.`,
  ),
  freezeCountTotal: define(
    'Freezes (W3C)',
    '',
    'audience',
    'Freezes that have ended since the job started, all viewers in total, by the rule of freezeCount in W3C webrtc-stats: an interval between two frames of at least 3 times the average of the last 30, and at least 150 ms more. Agents count whole frames, not rendered ones; over TCP those of 500 ms or more. None of audio only.',
  ),
  freezeDurationTotalMs: define(
    'Freeze time (W3C)',
    'ms',
    'audience',
    'Total length of these freezes, as totalFreezesDuration.',
  ),

  simulatedDownMbps: define(
    'Simulated network down',
    'Mbit/s',
    'audience',
    'What the simulated network passed to the viewers in the last second, with IP and transport headers.',
  ),
  simulatedDownLimitMbps: define(
    'Simulated network down, limit',
    'Mbit/s',
    'audience',
    'Rate of all simulated bottlenecks to the viewers, counted the same way.',
  ),
  simulatedDownRandomDropsPerSecond: define(
    'Simulated network down, random loss',
    'packets/s',
    'audience',
    'Packets to the viewers that the simulated network dropped as random loss.',
  ),
  simulatedDownBurstDropsPerSecond: define(
    'Simulated network down, burst loss',
    'packets/s',
    'audience',
    'Packets to the viewers that the simulated network dropped as burst loss.',
  ),
  simulatedDownQueueDropsPerSecond: define(
    'Simulated network down, queue full',
    'packets/s',
    'audience',
    'Packets to the viewers that the simulated network dropped because the queue of the bottleneck was full.',
  ),
  simulatedDownQueueP50Ms: define(
    'Simulated network down, queue p50',
    'ms',
    'audience',
    'Wait in the queue of a simulated bottleneck, median of the packets to the viewers in the last second.',
  ),
  simulatedDownQueueMaxMs: define('Simulated network down, queue max', 'ms', 'audience', 'The same, maximum.'),
  simulatedUpMbps: define(
    'Simulated network up',
    'Mbit/s',
    'audience',
    'What the simulated network passed from the viewers in the last second, with IP and transport headers.',
  ),
  simulatedUpLimitMbps: define(
    'Simulated network up, limit',
    'Mbit/s',
    'audience',
    'Rate of all simulated bottlenecks from the viewers, counted the same way.',
  ),
  simulatedUpRandomDropsPerSecond: define(
    'Simulated network up, random loss',
    'packets/s',
    'audience',
    'Packets from the viewers that the simulated network dropped as random loss.',
  ),
  simulatedUpBurstDropsPerSecond: define(
    'Simulated network up, burst loss',
    'packets/s',
    'audience',
    'Packets from the viewers that the simulated network dropped as burst loss.',
  ),
  simulatedUpQueueDropsPerSecond: define(
    'Simulated network up, queue full',
    'packets/s',
    'audience',
    'Packets from the viewers that the simulated network dropped because the queue of the bottleneck was full.',
  ),
  simulatedUpQueueP50Ms: define(
    'Simulated network up, queue p50',
    'ms',
    'audience',
    'Wait in the queue of a simulated bottleneck, median of the packets from the viewers in the last second.',
  ),
  simulatedUpQueueMaxMs: define('Simulated network up, queue max', 'ms', 'audience', 'The same, maximum.'),

  testerHostCpuPercent: define(
    'Tester CPU',
    '%',
    'host',
    "Busy share of the cores available to the tester's agent, as measured by itself: of its quota if it has one.",
  ),
  testerReaderBusyPercent: define(
    'Reading thread busy',
    '%',
    'process',
    'Share of the last second in which the thread that reads for all viewers was on a processor.',
  ),
  testerReaderWaitPercent: define(
    'Reading thread waiting',
    '%',
    'process',
    'Share of the last second in which that thread was runnable but waited for a processor.',
  ),
  testerSocketDropsPerSecond: define(
    'Socket drops',
    '/s',
    'process',
    "Datagrams dropped at the viewers' sockets because the tester did not read them in time.",
  ),
  testerReceiveBufferErrorsPerSecond: define(
    'UDP receive buffer errors, tester',
    '/s',
    'host',
    "RcvbufErrors of the tester's machine, IPv4 and IPv6, as measured by the agent.",
  ),
  testerOpenFilesLimit: define(
    'Open files limit',
    '',
    'process',
    "Maximum open file descriptors of the tester's agent.",
  ),
  testerMemoryAvailablePercent: define(
    'Memory available',
    '%',
    'host',
    "MemAvailable of the tester's machine, or what is left of the agent's own memory limit if less.",
  ),
  testerNetworkPercent: define(
    'Network utilization',
    '%',
    'host',
    "Utilization of the tester's busiest interface of known speed, in its busier direction.",
  ),
  testerNetworkDropsPerSecond: define(
    'Network card drops',
    '/s',
    'host',
    "Packets that the tester's interfaces received and dropped before they reached a socket.",
  ),
  testerWorstMember: define(
    'Member nearest to a limit',
    '',
    'process',
    'Of a tester group: the place of the member whose machine is nearest to one of its limits, from 1.',
  ),
  reconnectsWithoutFilesPerSecond: define(
    'Reconnects without open files',
    '/s',
    'process',
    'Attempts of lost viewers to reconnect that failed because the tester had no open files left. They try again.',
  ),
  reconnectsWithoutPortsPerSecond: define(
    'Reconnects without ports',
    '/s',
    'process',
    'Attempts of lost viewers to reconnect that failed because the tester had no local port left. They try again.',
  ),
  viewersFailedOnTester: define(
    'Failed due to the tester',
    '',
    'audience',
    "Viewers that failed since the agent's start because the tester itself ran out of files, ports or memory.",
  ),

  playerFrameRate: define(
    'Player frame rate',
    'fps',
    'player',
    'Frames presented by the control player in the last second.',
  ),
  playerBitrateKbps: define('Player bitrate', 'kbit/s', 'player', 'Media received by the control player.'),
  playerFreezes: define(
    'Player stalls',
    '',
    'player',
    `Gaps of ${degradedRule.stallMs} ms or more between two frames that the control player presented, since it started.`,
  ),
  playerFreezeCount: define(
    'Player freezes (W3C)',
    '',
    'player',
    'Freezes since it started, from getStats (freezeCount); WebRTC only.',
  ),
  playerFreezeDurationMs: define(
    'Player freeze time (W3C)',
    'ms',
    'player',
    'Total length of these freezes, from getStats (totalFreezesDuration).',
  ),
  playerPauseCount: define(
    'Player pauses',
    '',
    'player',
    'Pauses since it started, from getStats (pauseCount): no frame for 5 s or more; WebRTC only.',
  ),
  playerFrozenMs: define(
    'Player stall time',
    'ms',
    'player',
    'Time of stalls of the control player in the last second.',
  ),
  playerFramesDropped: define(
    'Player frames dropped',
    'frames',
    'player',
    'Frames dropped by the decoder since it started.',
  ),
  playerJitterMs: define('Player jitter', 'ms', 'player', 'Jitter of the inbound video, from getStats.'),
  playerRttMs: define('Player RTT', 'ms', 'player', 'Round trip of the nominated candidate pair, from getStats.'),
  playerPacketsLost: define(
    'Player packets lost',
    'packets',
    'player',
    'Packets lost since it started, from getStats.',
  ),
  playerLongestFreezeMs: define(
    'Player longest stall',
    'ms',
    'player',
    'The longest stall of the control player since it started.',
  ),
  playerReconnects: define(
    'Player reconnects',
    '',
    'player',
    'Interruptions of playback since the control player started on the stream; each was followed by a new connection.',
  ),
  playerFrameHeight: define('Player frame height', '', 'player', 'Height of the decoded frames, in pixels.'),
  playerJitterBufferMs: define(
    'Player jitter buffer',
    'ms',
    'player',
    'Mean delay of the frames of the last second in the jitter buffer, from getStats.',
  ),
  playerNacks: define(
    'Player NACKs',
    '',
    'player',
    'Negative acknowledgements of video sent since it started, from getStats.',
  ),
  playerKeyframeRequests: define(
    'Player keyframe requests',
    '',
    'player',
    'Picture loss indications and full intra requests sent since it started, from getStats.',
  ),
  playerQp: define(
    'Player QP',
    '',
    'player',
    'Mean quantisation parameter of the frames of the last second, in the scale of their codec, from getStats.',
  ),
  playerDecodeMs: define(
    'Player decode time',
    'ms',
    'player',
    'Mean time to decode a frame in the last second, from getStats.',
  ),
  playerAudioGaps: define(
    'Player audio gaps',
    '',
    'player',
    'Times that missing audio had to be concealed since it started (concealmentEvents of getStats).',
  ),
  playerConcealedPercent: define(
    'Player concealed audio',
    '%',
    'player',
    'Share of the audio of the last second that was synthesised in place of missing samples, from getStats.',
  ),
  playerAvOffsetMs: define(
    'Player A/V offset',
    'ms',
    'player',
    'Time by which the audio is ahead of the video: by the clocks in picture and sound of a test pattern of this window or a media file of a tester, else from the playout timestamps of getStats, within one frame.',
  ),
  browserViewers: define(
    'Browser viewers',
    '',
    'player',
    'Browser viewers that display the stream; each watches for 20 s, then the next one takes its place.',
  ),
  browserFrameRate: define(
    'Browser frame rate',
    'fps',
    'player',
    'Mean of the frames that each browser viewer displayed in the last second.',
  ),
  browserDegraded: define(
    'Browser viewers degraded',
    '',
    'player',
    `Browser viewers that are degraded, that is, ${degradedText}.`,
  ),
  browserFrozenPercent: define(
    'Browser stall time',
    '%',
    'player',
    'Share of the last second in which the browser viewers were stalled, mean.',
  ),
  browserFreezes: define(
    'Browser stalls',
    '',
    'player',
    `Gaps of ${degradedRule.stallMs} ms or more between two displayed frames, of all browser viewers since the run started.`,
  ),
  browserFreezeCount: define(
    'Browser freezes (W3C)',
    '',
    'player',
    'Freezes of all browser viewers since the run started, from getStats (freezeCount); WebRTC only.',
  ),
  browserFreezeDurationMs: define(
    'Browser freeze time (W3C)',
    'ms',
    'player',
    'Total length of these freezes, from getStats (totalFreezesDuration).',
  ),
  browserPauseCount: define(
    'Browser pauses',
    '',
    'player',
    'Pauses of all browser viewers since the run started, from getStats (pauseCount); WebRTC only.',
  ),
  browserJitterBufferMs: define(
    'Browser jitter buffer',
    'ms',
    'player',
    'Mean delay of the frames of the last second in the jitter buffers of the browser viewers, from getStats (jitterBufferDelay).',
  ),
  browserConcealedPercent: define(
    'Browser concealed audio',
    '%',
    'player',
    'Share of the audio of the last second that was synthesised in place of missing samples, mean of the browser viewers, from getStats (concealedSamples).',
  ),
  browserFirstFrameMs: define(
    'Browser first frame',
    'ms',
    'player',
    'Time from the start of a browser viewer to its first picture, mean of those that displayed it in the last second.',
  ),
  browserAgreementPercent: define(
    'Browser agreement',
    '%',
    'player',
    'How far browser viewers and audience agree: the lower of the ratio of their frame rates, and 100 % less the difference of their degraded shares.',
  ),
  browserRttMs: define(
    'Browser RTT',
    'ms',
    'player',
    'Round trip of the nominated candidate pair, from getStats, mean of the browser viewers over WebRTC.',
  ),
  browserPipelineDelayMs: define(
    'Browser pipeline delay',
    'ms',
    'player',
    pipelineMeaning('each browser viewer', 'mean'),
  ),
  browserDelayJitterMs: define(
    'Browser delay jitter',
    'ms',
    'player',
    'Mean difference between the glass-to-glass delays of consecutive frames that were read in the last second, mean of the browser viewers.',
  ),
  playerPipelineDelayMs: define('Player pipeline delay', 'ms', 'player', pipelineMeaning('the control player')),
  playerDelayJitterMs: define(
    'Player delay jitter',
    'ms',
    'player',
    'Mean difference between the glass-to-glass delays of consecutive frames that the control player read in the last second.',
  ),
  playerAudioMos: define(
    'Player audio MOS',
    '',
    'player',
    'Mean opinion score of the audio by the E-model (ITU-T G.107), with the loss terms of G.711 (G.113).',
  ),
  playerBufferedMs: define('Player buffer', 'ms', 'player', 'Media that the control player has buffered (HLS, FLV).'),
  playerDelayMs: define(
    'Player glass-to-glass delay',
    'ms',
    'player',
    'Median time from drawing to presenting the frames of the last second, by the clock in the test pattern of this window; of a media file that a tester publishes, from sending.',
  ),
  playerAudioDelayMs: define(
    'Player audio delay',
    'ms',
    'player',
    "Time from the start of a tone burst of this window's test pattern, or its sending in a tester's media file, to its playout in the last second, without the latency of the audio device.",
  ),
  playerBehindLiveMs: define(
    'Player behind live',
    'ms',
    'player',
    'Distance of the control player to the end of the HLS playlist.',
  ),
  playerSsim: define(
    'Player SSIM',
    '',
    'player',
    'Structural similarity (Wang et al., 2004; luma, windows of 8 × 8) of one displayed frame a second and the frame as drawn, of the test pattern of this window.',
  ),
  playerPsnrDb: define(
    'Player PSNR',
    'dB',
    'player',
    'Peak signal-to-noise ratio of the luma of the same frame; 60 dB at most.',
  ),
  playerBlockiness: define(
    'Player blockiness',
    '',
    'player',
    'Differences across block borders relative to those inside blocks, of one displayed frame a second; 1 without blocks.',
  ),
  playerBlur: define(
    'Player blur',
    '',
    'player',
    'Blur by Crété-Roffet et al. (2007) of one displayed frame a second: 0 sharp, 1 without detail.',
  ),
} as const satisfies Record<string, SeriesDefinition>;

/** Busy share of one core of a host; `cpuCorePercent:0` is the first core. */
export type CoreSeriesId = `cpuCorePercent:${number}`;
/** Traffic of one network interface, e.g. `networkOutMbps:eth0`. */
export type InterfaceSeriesId = `networkInMbps:${string}` | `networkOutMbps:${string}`;
/** Connected viewers that receive a layer of a simulcast or scalable video, by its size: `viewersOfLayer:640x360`. */
export type LayerSeriesId = `viewersOfLayer:${number}x${number}`;
/** A server-specific figure without a common name, e.g. `server:ports_media_free`. */
export type ServerSeriesId = `server:${string}`;
/**
 * Sources of a node's figures, best first: of two sources of one figure the first has the series. `server` is what the
 * server reports about itself, `agent` what our own program measures.
 */
export const figureSources = [
  'gc-log',
  'agent',
  'this-machine',
  'ssh',
  'node_exporter',
  'prometheus',
  'server',
] as const;
export type FigureSource = (typeof figureSources)[number];

/** Display names, if nothing more specific is known. */
export const figureSourceNames: Readonly<Record<FigureSource, string>> = {
  'gc-log': 'GC log',
  agent: 'agent',
  'this-machine': '/proc of this machine',
  ssh: '/proc over SSH',
  node_exporter: 'node_exporter',
  prometheus: 'Prometheus',
  server: "the server's own count",
};

/** A figure from another source than the one that has the series, e.g. `networkOutMbps@node_exporter`. */
export type SourcedSeriesId = `${keyof typeof seriesDefinitions | CoreSeriesId | InterfaceSeriesId}@${FigureSource}`;
export type SeriesId =
  keyof typeof seriesDefinitions | CoreSeriesId | InterfaceSeriesId | LayerSeriesId | ServerSeriesId | SourcedSeriesId;
/** Values measured at one time, by series; a series without a measurement is absent. */
export type ValuesBySeries = Partial<Record<SeriesId, number>>;

export function sourcedSeries(series: SeriesId, source: FigureSource): SourcedSeriesId {
  return `${series}@${source}` as SourcedSeriesId;
}

/** Series and source of a name such as `cpuPercent@ssh`; undefined for every other name. */
export function sourceOfSeries(id: string): { readonly series: SeriesId; readonly source: FigureSource } | undefined {
  const at = id.lastIndexOf('@');
  const source = figureSources.find((source) => source === id.slice(at + 1));
  if (at < 1 || !source || id.startsWith('server:')) return undefined;
  return { series: id.slice(0, at) as SeriesId, source };
}

/** Whether the id is of a series, including those of single cores, interfaces and server figures. */
export function isSeries(id: string): id is SeriesId {
  return seriesDefinition(id) !== undefined;
}

/** The definition of a series, including those of single cores, interfaces and server figures; undefined if unknown. */
export function seriesDefinition(id: string): SeriesDefinition | undefined {
  const sourced = sourceOfSeries(id);
  if (sourced) {
    const base = sourceOfSeries(sourced.series) ? undefined : seriesDefinition(sourced.series);
    return base && { ...base, title: `${base.title}, by ${figureSourceNames[sourced.source]}` };
  }
  const core = /^cpuCorePercent:(\d{1,4})$/.exec(id);
  if (core) return define(`CPU core ${core[1]}`, '%', 'host', 'Busy share of this core, over the last second.');
  const traffic = /^network(In|Out)Mbps:([A-Za-z0-9._@-]{1,32})$/.exec(id);
  if (traffic) {
    const way = traffic[1] === 'In' ? 'in' : 'out';
    return define(`Bandwidth ${way} ${traffic[2]}`, 'Mbit/s', 'host', `Traffic of this interface, ${way}.`);
  }
  const layer = /^viewersOfLayer:(\d{1,5})x(\d{1,5})$/.exec(id);
  if (layer) {
    const size = `${layer[1]} × ${layer[2]}`;
    return define(`Viewers of ${size}`, '', 'audience', 'Connected viewers that receive a layer of this size.');
  }
  const figure = /^server:([A-Za-z0-9_.%/-]{1,100})$/.exec(id);
  if (figure) return define(figure[1] ?? id, '', 'origin', 'As reported by the server.');
  return (seriesDefinitions as Record<string, SeriesDefinition>)[id];
}

/** One measured value. No measurement means no sample: a gap stays a gap, never 0. */
export interface Sample {
  /** Unix time in ms UTC, by the engine's clock (an agent's time is corrected by its measured offset). */
  readonly timeMs: number;
  readonly node: string;
  readonly series: SeriesId;
  readonly value: number;
}

/** Samples of many nodes and series in few objects, as they cross processes: one row per sample, column by column. */
export interface SampleBatch {
  /** Keys of the columns, `node` and `series`, referred to by index in `key`. */
  readonly keys: ReadonlyArray<{
    /** As its run names it, if it is part of one. */
    readonly node: string;
    readonly series: SeriesId;
    /** Of live samples: the node of the fleet, where the run has that name for another one, or another name for it. */
    readonly fleetNode?: string;
  }>;
  readonly key: readonly number[];
  readonly timeMs: readonly number[];
  readonly value: readonly number[];
}
