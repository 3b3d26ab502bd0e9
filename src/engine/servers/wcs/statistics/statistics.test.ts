import { describe, expect, it } from 'vitest';
import { anyForm, resemblance } from './anyForm';
import { jsonForm } from './jsonForm';
import { prometheusForm } from './prometheusForm';
import { textForm } from './textForm';
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

describe('the text form', () => {
  it('is read by sections, with values that hold = themselves', () => {
    const statistics = textForm(text);
    expect(statistics?.numbers.get('streams_webrtc_out')).toBe(10);
    expect(statistics?.numbers.get('core_threads')).toBe(140);
    expect(statistics?.texts.get('streams_viewers')).toBe('cam/10=ten');
    expect(statistics?.texts.get('core_java_version')).toBe('17.0.15');
  });

  it('is not seen in a web page or in nothing', () => {
    expect(textForm('<html><body class=x>\n<a href="?a=b">x</a></html>')).toBeUndefined();
    expect(textForm('')).toBeUndefined();
    expect(textForm('-----Stream-----\n')).toBeUndefined();
  });
});

describe('the JSON form', () => {
  it('takes numbers and texts that are numbers, and keeps details apart', () => {
    const statistics = jsonForm(
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

  it('keeps a name that two groups have twice', () => {
    const statistics = jsonForm('{"a":{"x":1},"b":{"x":2}}');
    expect([...(statistics?.numbers ?? [])]).toEqual([
      ['x', 1],
      ['b/x', 2],
    ]);
  });

  it.each(['{"streams_stats":{"streams_we', '[1,2]', '"text"', 'null'])('is not seen in %s', (body) => {
    expect(jsonForm(body)).toBeUndefined();
  });
});

describe('the Prometheus form', () => {
  it('has the parameter in the label param', () => {
    const statistics = prometheusForm(
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

  it('is not seen in a sentence', () => {
    expect(prometheusForm('Not found\nnothing is here to be seen')).toBeUndefined();
  });
});

it('a form is told by its looks', () => {
  expect(anyForm(text)?.format).toBe('text');
  expect(anyForm('{"a":{"b":1}}')?.format).toBe('json');
  expect(anyForm('a{param="b"} 1\n')?.format).toBe('prometheus');
  expect(anyForm('<!doctype html><p>a 1</p>')).toBeUndefined();
  expect(anyForm('{"half":')).toBeUndefined();
});

it('a WCS is told from other servers that have statistics', () => {
  expect(resemblance(textForm(text) ?? never())).toBeGreaterThan(0.5);
  expect(resemblance(prometheusForm('go_threads 12\nup 1') ?? never())).toBe(0);
});

describe('series', () => {
  it('add up what is played, and leave out what is not told', () => {
    const values = seriesOf(
      jsonForm(
        JSON.stringify({
          streams_stats: { streams_webrtc_out: 740, streams_rtmp_out: 2, streams_webrtc_in: 1 },
          custom_stats: { gc_pause: '2.5', 'odd name!': 7 },
          connections_stats: { connections: 743 },
          system: { system_java_cpu_usage: 41.5 },
        }),
      ) ?? never(),
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

  it('have the memory that Java does not see as free', () => {
    const core = {
      core_java_totalPhysicalMemorySize: 34359738368,
      core_java_freePhysicalMemorySize: 8589934592,
    };
    const memory = (of: object): unknown =>
      seriesOf(jsonForm(JSON.stringify({ core_stats: of })) ?? never()).memoryUsedBytes;
    expect(memory(core)).toBe(25769803776);
    expect(memory({ ...core, core_java_totalPhysicalMemorySize: 1 })).toBeUndefined();
    expect(memory({ core_java_freePhysicalMemorySize: 1 })).toBeUndefined();
  });

  it('hold no viewers when the server tells nothing of streams', () => {
    expect(seriesOf(jsonForm('{"core_stats":{"core_threads":3}}') ?? never())).toEqual({
      'server:core_threads': 3,
    });
  });
});

function never(): never {
  throw new Error('These statistics have to be readable.');
}
