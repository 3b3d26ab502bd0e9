import type { WcsNode } from './node';

type Groups = Record<string, Record<string, unknown>>;

const headers: Readonly<Record<string, string>> = {
  connections_stats: 'Connection',
  port_stats: 'Port',
  streams_stats: 'Stream',
  core_stats: 'Core',
  system: 'System',
  degraded_streams_stats: 'Degraded',
  network_stats: 'Network',
  transcoding_stats: 'Transcoding',
  custom_stats: 'Custom',
};

const mediaPorts = 9999;
const groupSize = 50;

/** The statistics page in the requested format. */
export function statisticsPage(node: WcsNode, query: URLSearchParams): { type: string; body: string } {
  const wanted = query.get('groups')?.split(',');
  const { isOld, missingStatistics } = node.conditions;
  const groups: Groups = {};
  for (const [group, parameters] of Object.entries(statisticsOf(node))) {
    if ((wanted && !isOld && !wanted.includes(group)) || missingStatistics.includes(group)) continue;
    groups[group] = Object.fromEntries(
      Object.entries(parameters).filter(([name]) => !missingStatistics.includes(name)),
    );
  }
  const format = isOld ? 'text' : (query.get('format') ?? 'text');
  if (format === 'json') return { type: 'application/json', body: JSON.stringify(groups) };
  return { type: 'text/plain', body: format === 'prometheus' ? prometheus(groups) : text(groups) };
}

function statisticsOf(node: WcsNode): Groups {
  const { conditions } = node;
  const all = [...node.streams.values()].filter(({ status }) => status === 'PLAYING' || status === 'PUBLISHING');
  const count = (published: boolean, provider: string): number =>
    all.filter((stream) => stream.published === published && stream.mediaProvider === provider).length;
  const playing = node.playing().length;
  const degraded = node.degraded();
  const agentPorts = node.agentPorts();
  const bps = (published: boolean): number =>
    all
      .filter((stream) => stream.published === published)
      .reduce((sum, { picture }) => sum + (picture ? picture.videoBps + picture.audioBps : 0), 0);
  return {
    connections_stats: {
      connections: node.connections.size,
      connections_rtmfp: 0,
      connections_websocket: node.connections.size,
    },
    port_stats: {
      ports_media_free: mediaPorts - all.length,
      ports_media_busy: all.length,
      ports_media_quarantine: 0,
      ports_wcs_agents_free: agentPorts.free,
      ports_wcs_agents_busy: agentPorts.busy,
      ports_wcs_agents_quarantine: agentPorts.quarantine,
    },
    streams_stats: {
      streams_webrtc_in: count(true, 'WebRTC'),
      streams_webrtc_out: count(false, 'WebRTC'),
      streams_rtmp_in: count(true, 'Flash'),
      streams_rtmp_out: node.pushes.size,
      streams_rtmfp_in: 0,
      streams_rtmfp_out: 0,
      streams_rtsp_in: node.rtsp.size,
      streams_rtsp_out: 0,
      streams_websocket_out: 0,
      streams_viewers: [...new Set(all.filter(({ published }) => published).map(({ name }) => name))]
        .map((name) => `${name}/${node.playersOf(name).length}`)
        .join(';'),
    },
    core_stats: {
      core_threads: 120 + all.length,
      core_java_threads: 118 + all.length,
      core_java_threads_blocked: 0,
      core_java_committedMemory: 17179869184,
      core_java_freePhysicalMemorySize: 8589934592,
      core_java_totalPhysicalMemorySize: 34359738368,
      ...(conditions.version === undefined ? {} : { server_version: conditions.version }),
    },
    system: {
      system_java_cpu_usage: Math.min(100, 2 + (98 * playing) / Math.max(1, Math.min(conditions.enoughCpuFor, 2000))),
      system_memory_total: 32768,
      system_memory_free: 16384,
    },
    degraded_streams_stats: {
      degraded_streams: degraded,
      degraded_streams_percent: playing > 0 ? (100 * degraded) / playing : 0,
    },
    network_stats: { global_bandwidth_in: bps(true) / 1e6, global_bandwidth_out: bps(false) / 1e6 },
    transcoding_stats: { transcoding_video_full_info: distributors(node) },
    ...(conditions.gcPauseMs === undefined ? {} : { custom_stats: { gc_pause: String(conditions.gcPauseMs) } }),
    ...conditions.unknownStatistics,
  };
}

/** The distributors of each published stream: their queue, and the send times of each group of 50 viewers, ms. */
function distributors(node: WcsNode): Record<string, unknown> {
  const entries = [...node.streams.values()]
    .filter(({ published }) => published)
    .map(({ name, picture }): [string, unknown] => {
      const viewers = node.playersOf(name);
      const queueSize = Math.max(0, viewers.length - node.conditions.enoughCpuFor);
      const groups = Array.from({ length: Math.ceil(viewers.length / groupSize) }, (_, group): [string, unknown] => [
        `group-${group + 1}`,
        {
          videoGroupSendStats: viewers.slice(group * groupSize, (group + 1) * groupSize).map(({ mediaSessionId }) => ({
            id: mediaSessionId,
            maxSendTime: 2 + queueSize,
            minSendTime: 0,
            averageSendTime: 1,
          })),
        },
      ]);
      const size = `${picture?.width ?? 0}x${picture?.height ?? 0}`;
      const distributor = {
        codec: 'H264',
        resolution: size,
        queueSize,
        videoGroupsSendStats: Object.fromEntries(groups),
      };
      return [name, { distributors: { [`${name}-${size}`]: distributor } }];
    });
  return Object.fromEntries(entries);
}

function text(groups: Groups): string {
  return Object.entries(groups)
    .map(([group, parameters]) => {
      const lines = Object.entries(parameters).map(
        ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      return [`-----${headers[group] ?? group} Stats-----`, ...lines, ''].join('\n');
    })
    .join('\n');
}

function prometheus(groups: Groups): string {
  return Object.entries(groups)
    .flatMap(([group, parameters]) =>
      Object.entries(parameters)
        .filter(([, value]) => typeof value !== 'object' && Number.isFinite(Number(value)) && value !== '')
        .map(([name, value]) => `${group}{param="${name}"} ${String(value)}`),
    )
    .concat('')
    .join('\n');
}
