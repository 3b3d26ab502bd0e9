import { describe, expect, it } from 'vitest';
import { detectFormat, parseJsonFormat, parsePrometheusFormat, parseTextFormat, resemblance } from './detectFormat';
import { seriesOf } from './values';

const text = [
  '-----Connection Stats-----',
  'connections=12',
  'connections_websocket=10',
  '',
  '-----Stream Stats-----',
  'streams_webrtc_in=1',
  'streams_webrtc_out=10',
  'streams_viewers=cam/10=ten',
  '-Core',
  'core_threads=140',
  'core_java_version=17.0.15',
  'no value here',
].join('\r\n');

describe('the text format', () => {
  it('is read by sections, with values that contain =', () => {
    const statistics = parseTextFormat(text);
    expect(statistics?.numbers.get('streams_webrtc_out')).toBe(10);
    expect(statistics?.numbers.get('core_threads')).toBe(140);
    expect(statistics?.texts.get('streams_viewers')).toBe('cam/10=ten');
    expect(statistics?.texts.get('core_java_version')).toBe('17.0.15');
  });

  it('is not detected in a web page or an empty response', () => {
    expect(parseTextFormat('<html><body class=x>\n<a href="?a=b">x</a></html>')).toBeUndefined();
    expect(parseTextFormat('')).toBeUndefined();
    expect(parseTextFormat('-----Stream-----\n')).toBeUndefined();
  });
});

describe('the JSON format', () => {
  it('reads numbers and numeric strings, and keeps other texts separate', () => {
    const statistics = parseJsonFormat(
      JSON.stringify({
        streams_stats: { streams_webrtc_out: '742', streams_webrtc_in: 1, streams_viewers: ['cam/742'] },
        transcoding_stats: { transcoding_video_full_info: { cam: { distributors: {} } } },
        degraded_streams_stats: { degraded_streams: 23, degraded_streams_percent: 3.1 },
        empty: null,
      }),
    );
    expect(statistics?.numbers.get('streams_webrtc_out')).toBe(742);
    expect(statistics?.numbers.get('degraded_streams_percent')).toBe(3.1);
    expect(statistics?.texts.get('transcoding_video_full_info')).toContain('distributors');
    expect([...(statistics?.numbers.keys() ?? [])]).not.toContain('empty');
  });

  it('keeps both values of a name in two groups', () => {
    const statistics = parseJsonFormat('{"a":{"x":1},"b":{"x":2}}');
    expect([...(statistics?.numbers ?? [])]).toEqual([
      ['x', 1],
      ['b/x', 2],
    ]);
  });

  it.each(['{"streams_stats":{"streams_we', '[1,2]', '"text"', 'null'])('is not detected in %s', (body) => {
    expect(parseJsonFormat(body)).toBeUndefined();
  });
});

describe('the Prometheus format', () => {
  it('reads the parameter from the label param', () => {
    const statistics = parsePrometheusFormat(
      [
        '# HELP streams_stats streams',
        '# TYPE streams_stats gauge',
        'streams_stats{param="streams_webrtc_out"} 1000',
        'core_stats{instance="a:8081", job="x", param="core_java_freePhysicalMemorySize"} 1.7179869184E10 1795170000123',
        'streams_stats{param="streams_viewers",stream="a \\"b\\""} 4',
        'up 1',
        'custom_stats{param="gc_pause"} NaN',
      ].join('\n'),
    );
    expect([...(statistics?.numbers ?? [])]).toEqual([
      ['streams_webrtc_out', 1000],
      ['core_java_freePhysicalMemorySize', 17179869184],
      ['streams_viewers/a "b"', 4],
      ['up', 1],
    ]);
  });

  it('is not detected in a sentence', () => {
    expect(parsePrometheusFormat('Not found\nnothing is here to be seen')).toBeUndefined();
  });
});

it('the format is detected from the response', () => {
  expect(detectFormat(text)?.format).toBe('text');
  expect(detectFormat('{"a":{"b":1}}')?.format).toBe('json');
  expect(detectFormat('a{param="b"} 1\n')?.format).toBe('prometheus');
  expect(detectFormat('<!doctype html><p>a 1</p>')).toBeUndefined();
  expect(detectFormat('{"half":')).toBeUndefined();
});

it('a WCS is distinguished from other servers with statistics', () => {
  expect(resemblance(parseTextFormat(text) ?? unreachable())).toBeGreaterThan(0.5);
  expect(resemblance(parsePrometheusFormat('go_threads 12\nup 1') ?? unreachable())).toBe(0);
});

describe('series', () => {
  it('sum the played streams, and leave out missing values', () => {
    const values = seriesOf(
      parseJsonFormat(
        JSON.stringify({
          streams_stats: { streams_webrtc_out: 740, streams_rtmp_out: 2, streams_webrtc_in: 1 },
          custom_stats: { gc_pause: '2.5', 'odd name!': 7 },
          connections_stats: { connections: 743 },
          system: { system_java_cpu_usage: 41.5 },
        }),
      ) ?? unreachable(),
    );
    expect(values).toEqual({
      originViewers: 742,
      originStreams: 1,
      originConnections: 743,
      gcPauseMs: 2.5,
      'server:odd_name_': 7,
      'server:streams_webrtc_out': 740,
      'server:streams_rtmp_out': 2,
      'server:streams_webrtc_in': 1,
      'server:system_java_cpu_usage': 41.5,
    });
  });

  it('have the memory that Java does not report as free', () => {
    const core = {
      core_java_totalPhysicalMemorySize: 34359738368,
      core_java_freePhysicalMemorySize: 8589934592,
    };
    const memory = (of: object): unknown =>
      seriesOf(parseJsonFormat(JSON.stringify({ core_stats: of })) ?? unreachable()).memoryUsedBytes;
    expect(memory(core)).toBe(25769803776);
    expect(memory({ ...core, core_java_totalPhysicalMemorySize: 1 })).toBeUndefined();
    expect(memory({ core_java_freePhysicalMemorySize: 1 })).toBeUndefined();
  });

  it('have no viewers when the server reports no streams', () => {
    expect(seriesOf(parseJsonFormat('{"core_stats":{"core_threads":3}}') ?? unreachable())).toEqual({
      'server:core_threads': 3,
    });
  });
});

function unreachable(): never {
  throw new Error('These statistics have to be readable.');
}
