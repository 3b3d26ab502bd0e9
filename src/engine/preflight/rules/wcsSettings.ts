import { fail, onWcs, onWcsByUdp, pass, type PreflightRule, unread, warn } from '../rule';
import { cpuFlags, cpuInfo } from '../text/machine';
import { counted, formatCount } from '../../../domain/text/numberFormat';
import { hours } from '../text/numbers';
import { flashphoner, shown, wcsFix, wcsNumber, wcsSetting } from '../text/properties';

const subgroupsKey = 'streaming_distributor_subgroup_enabled';
/** From this many viewers of one stream on, the vendor recommends it. */
const manyViewers = 100;

const subgroups: PreflightRule = {
  id: 'wcs.subgroups',
  title: 'Distributor sub-groups',
  checks: `${subgroupsKey}: whether the viewers of one stream are distributed over CPU threads.`,
  why: 'A single thread for all viewers of a stream saturates at a few hundred of them: frames are dropped while other cores are idle.',
  good: 'true from 100 viewers of one stream',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node, viewersOfOneStream: viewers }) => {
    const value = wcsSetting(facts, subgroupsKey);
    if (value === 'true') return pass(`${subgroupsKey} is true on ${node}.`);
    const read = `${shown(subgroupsKey, value, 'false')} on ${node}`;
    return viewers < manyViewers
      ? pass(`${read}, which is enough for ${counted(viewers, 'viewer')} of one stream.`)
      : fail(
          `${read}; recommended for ${formatCount(viewers)} viewers of one stream: true.`,
          wcsFix(
            facts,
            `${subgroupsKey}=true`,
            'streaming_distributor_subgroup_size=50',
            'streaming_distributor_audio_subgroup_size=500',
          ),
        );
  },
};

const videoSizeKey = 'streaming_distributor_subgroup_size';
const audioSizeKey = 'streaming_distributor_audio_subgroup_size';

const subgroupSizes: PreflightRule = {
  id: 'wcs.subgroup-sizes',
  title: 'Sub-group size',
  checks: `${videoSizeKey} and ${audioSizeKey}: how many sessions share a thread.`,
  why: 'Groups that are too large overload their thread again.',
  good: 'max 50 video and 500 audio sessions',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    const [videos, audios] = [wcsNumber(facts, videoSizeKey), wcsNumber(facts, audioSizeKey)];
    const fix = wcsFix(facts, `${videoSizeKey}=50`, `${audioSizeKey}=500`);
    if (videos === undefined || audios === undefined)
      return warn(
        `${videos === undefined ? videoSizeKey : audioSizeKey} is not set on ${node}; the vendor's tests use 50 and 500.`,
        fix,
      );
    const read = `Sub-groups on ${node} have ${formatCount(videos)} video and ${formatCount(audios)} audio sessions`;
    return videos <= 50 && audios <= 500 ? pass(`${read}.`) : warn(`${read}; recommended: max 50 and 500.`, fix);
  },
};

const minQueues = [
  ['streaming_distributor_subgroup_queue_size', 300],
  ['streaming_distributor_subgroup_queue_max_waiting_time', 5000],
  ['streaming_distributor_audio_subgroup_queue_size', 300],
  ['streaming_distributor_audio_subgroup_queue_max_waiting_time', 5000],
] as const;

const subgroupQueues: PreflightRule = {
  id: 'wcs.subgroup-queues',
  title: 'Sub-group queues',
  checks: 'Queue sizes and max wait times of the video and audio sub-groups.',
  why: 'In a burst, a short queue drops frames that the server could have sent slightly later.',
  good: 'queue sizes of at least 300 packets, max waits of at least 5,000 ms',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    const short = minQueues.flatMap(([key, least]) => {
      const value = wcsNumber(facts, key);
      return value !== undefined && value >= least
        ? []
        : [
            {
              line: `${key}=${least}`,
              read: `${key} ${value === undefined ? 'is not set' : `is ${formatCount(value)}`}`,
            },
          ];
    });
    return short.length === 0
      ? pass(`All four queues on ${node} are as long as in the vendor's tests.`)
      : warn(
          `${short.map(({ read }) => read).join(', ')} on ${node}.`,
          wcsFix(facts, ...short.map(({ line }) => line)),
        );
  },
};

const activityTimerKey = 'wcs_activity_timer_timeout';
const dayMs = 86_400_000;

const activityTimer: PreflightRule = {
  id: 'wcs.activity-timer',
  title: 'Activity timer',
  checks: `${activityTimerKey}: whether sessions live as long as the test.`,
  why: 'WCS ends sessions that it considers idle, which would disconnect the audience during the run.',
  good: 'at least as long as the plan; the vendor uses 86400000 (24 h) for load tests',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node, lengthMs }) => {
    const value = wcsNumber(facts, activityTimerKey);
    const fix = wcsFix(facts, `${activityTimerKey}=${dayMs}`);
    if (value === undefined)
      return warn(`${activityTimerKey} is not set on ${node}; the server's default may end a long test.`, fix);
    if (value < 0) return unread(`${activityTimerKey} on ${node} is ${value}, which is not a duration.`);
    const read = `${activityTimerKey} on ${node} is ${hours(value)}`;
    if (lengthMs !== undefined && value < lengthMs) return fail(`${read}; this plan takes ${hours(lengthMs)}.`, fix);
    return lengthMs === undefined && value < dayMs
      ? warn(`${read}, and this plan has no planned end.`, fix)
      : pass(`${read}, longer than this plan.`);
  },
};

const bandwidthCheckKey = 'global_bandwidth_check_enabled';

const bandwidthCheck: PreflightRule = {
  id: 'wcs.bandwidth-check',
  title: 'Bandwidth figures',
  checks: `${bandwidthCheckKey}: whether WCS reports its bandwidth.`,
  why: "Without it the server's statistics have no network figures, and the run lacks its own bandwidth figures.",
  good: 'true',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    const value = wcsSetting(facts, bandwidthCheckKey);
    return value === 'true'
      ? pass(`${bandwidthCheckKey} is true on ${node}.`)
      : warn(
          `${shown(bandwidthCheckKey, value, 'false')} on ${node}; recommended: true.`,
          wcsFix(facts, `${bandwidthCheckKey}=true`),
        );
  },
};

const aesProviderKey = 'webrtc_aes_crypto_provider';

const aesProvider: PreflightRule = {
  id: 'wcs.aes-provider',
  title: 'AES provider',
  checks: `${aesProviderKey}: the provider that encrypts the viewers' media.`,
  why: "The default, BouncyCastle, does not use the processor's AES instructions; JCE encrypts 1.8 to 2 times as fast.",
  good: 'JCE on a processor with AES instructions',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner, { file: cpuInfo }],
  judge: (facts, { node }) => {
    const value = wcsSetting(facts, aesProviderKey);
    if (value?.toUpperCase() === 'JCE') return pass(`${aesProviderKey} is JCE on ${node}.`);
    const read = `${shown(aesProviderKey, value, 'BouncyCastle')} on ${node}`;
    const fix = wcsFix(facts, `${aesProviderKey}=JCE`);
    const hasAes = facts.maybe(cpuFlags)?.includes('aes');
    if (hasAes === false) return warn(`${read}; its processor has no AES instructions, so JCE would gain little.`);
    return (hasAes ? fail : warn)(
      `${read}; recommended: JCE${hasAes ? ', since its processor has AES instructions' : ''}.`,
      fix,
    );
  },
};

const bufferKeys = ['rtp_receive_buffer_size', 'rtp_send_buffer_size'] as const;
const minBufferBytes = 131_072;

const rtpBuffers: PreflightRule = {
  id: 'wcs.rtp-buffers',
  title: 'RTP buffers',
  checks: `${bufferKeys.join(' and ')}: buffers of each session's socket.`,
  why: 'Frames of a high bitrate arrive in bursts that overflow small buffers.',
  good: '131072 bytes each',
  source: 'WCS manual: Server tuning recommendations',
  applies: onWcsByUdp,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    const short = bufferKeys.filter((key) => (wcsNumber(facts, key) ?? 0) < minBufferBytes);
    if (short.length === 0)
      return pass(`Both RTP buffers on ${node} are at least ${formatCount(minBufferBytes)} bytes.`);
    const read = short.map((key) => {
      const value = wcsNumber(facts, key);
      return `${key} is ${value === undefined ? 'not set' : formatCount(value)}`;
    });
    return warn(
      `${read.join(' and ')} on ${node}; recommended: ${formatCount(minBufferBytes)}.`,
      wcsFix(facts, ...short.map((key) => `${key}=${minBufferBytes}`)),
    );
  },
};

const restKey = 'rest_max_connections';

const restHooks: PreflightRule = {
  id: 'wcs.rest-hooks',
  title: 'REST hooks',
  checks: `${restKey}, unless disable_rest_requests is true.`,
  why: 'Each new viewer triggers a backend call; too many at once block the threads that serve viewers.',
  good: 'disable_rest_requests=true, or max 20 connections',
  source: 'WCS manual: Server tuning recommendations',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    if (wcsSetting(facts, 'disable_rest_requests') === 'true') return pass(`REST hooks are off on ${node}.`);
    const value = wcsNumber(facts, restKey);
    return value !== undefined && value <= 20
      ? pass(`${restKey} is ${formatCount(value)} on ${node}.`)
      : warn(
          `${restKey} ${value === undefined ? 'is not set (default 200)' : `is ${formatCount(value)}`} on ${node}; recommended: 20 if REST hooks are used, else disable them.`,
          wcsFix(facts, `${restKey}=20`),
        );
  },
};

export const wcsSettingsRules: readonly PreflightRule[] = [
  subgroups,
  subgroupSizes,
  subgroupQueues,
  activityTimer,
  bandwidthCheck,
  aesProvider,
  rtpBuffers,
  restHooks,
];
