/** The plan of a cell. Bottlenecks of a machine that runs everything are not the question here. */
const planOf =
  ({ nodes, publish = '', pull, degraded = "'<= 1%'" }) =>
  (viewers) => `name: Protocols
nodes:
${nodes}
  audience: { tester: local }
${publish}pull: { ${pull}, by: [audience], viewers: ${viewers}, rate: ${Math.max(10, viewers / 10)}/s, hold: 10s }
expect: { connected: '>= 100%', degraded: ${degraded}, cpu: off, gcPause: off }
`;

const publishFile = (node, file, protocol) =>
  `publish: [{ stream: cam, node: ${node}, by: audience, source: ${JSON.stringify(file)}${protocol} }]\n`;

/** The cells of the matrix: each protocol at each server with each codec that it plays there. */
export function cells({ livekit, coturn, nginx, files }) {
  const lab = '  origin: { server: lab }';
  const sfu = `  origin: { server: livekit, url: "${livekit.url}", apiKey: ${livekit.apiKey}, metrics: "${livekit.metricsUrl}" }`;
  const rtmp = `  origin: { server: nginx-rtmp, url: "${nginx.http}/stat", rtmp: "rtmp://127.0.0.1:${nginx.port}/live/{stream}", hls: "${nginx.http}/hls/{stream}.m3u8" }`;
  const generic = (key, url) => `  origin: { server: generic, ${key}: "${url}" }`;
  const apiSecret = { FULLHOUSE_ORIGIN_API_SECRET: livekit.apiSecret };
  const pullOf = (protocol, stream = 'cam') => `stream: ${stream}, from: origin, protocol: ${protocol}`;
  return [
    ...Object.entries(files).map(([codec, file]) => ({
      name: `WHEP, lab, ${codec}`,
      plan: planOf({ nodes: lab, publish: publishFile('origin', file, ', protocol: whip'), pull: pullOf('whep') }),
    })),
    ...Object.entries(files).map(([codec, file]) => ({
      name: `LiveKit, ${codec}`,
      plan: planOf({ nodes: sfu, publish: publishFile('origin', file, ''), pull: pullOf('livekit') }),
      environment: apiSecret,
    })),
    {
      name: 'LiveKit through coturn, h264',
      plan: planOf({
        nodes: sfu,
        publish: publishFile('origin', files.h264, ''),
        pull: `${pullOf('livekit')}, turn: { share: 100%, url: "turn:127.0.0.1:${coturn.port}", username: ${coturn.username}, password: $env:FULLHOUSE_TURN }`,
      }),
      environment: { ...apiSecret, FULLHOUSE_TURN: coturn.password },
    },
    { name: 'RTMP, nginx-rtmp, h264', plan: planOf({ nodes: rtmp, pull: pullOf('rtmp', 'measured') }) },
    { name: 'HLS, nginx-rtmp, h264', plan: planOf({ nodes: rtmp, pull: pullOf('hls', 'measured') }) },
    {
      name: 'DASH, ffmpeg and nginx, h264',
      plan: planOf({ nodes: generic('dash', `${nginx.http}/dash/{stream}.mpd`), pull: pullOf('dash', 'measured') }),
    },
    {
      name: 'HTTP-FLV, nginx, h264',
      plan: planOf({
        nodes: generic('flv', `${nginx.http}/{stream}.flv`),
        pull: pullOf('http-flv', 'long'),
        degraded: 'off',
      }),
    },
    {
      name: 'TURN alone, coturn',
      plan: planOf({
        nodes: generic('turn', `turn:127.0.0.1:${coturn.port}`),
        pull: `${pullOf('turn')}, turn: { username: ${coturn.username}, password: $env:FULLHOUSE_TURN }`,
      }),
      environment: { FULLHOUSE_TURN: coturn.password },
    },
  ];
}
