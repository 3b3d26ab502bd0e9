import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Figures } from './figures';
import { readStat, type Stat } from './stat';
import { plainText } from './statText';

const page = (name: string): string =>
  readFileSync(join(__dirname, '../../../../tests/fixtures/nginx-rtmp', `stat-${name}.xml`), 'utf8');

function stat(text: string): Stat {
  const read = readStat(text);
  if (!read) throw new Error('The page was not recognised as a stat page.');
  return read;
}

describe('a stat page', () => {
  it('with one publisher', () => {
    const { streams, ...rest } = stat(page('1-publisher'));
    expect(rest).toEqual({
      module: 'nginx-rtmp',
      ports: [],
      nginxVersion: '1.22.1',
      moduleVersion: '1.1.4',
      pid: 23323,
      uptimeS: 17,
      bytesIn: 400049,
      bytesOut: 409,
      clients: 1,
    });
    expect(new Figures().take(stat(page('1-publisher')), 0)).toEqual({
      values: { originViewers: 0, originStreams: 1, originConnections: 1 },
      streams: [
        {
          stream: 'cam',
          source: 'RTMP · 10.77.0.1',
          viewers: 0,
          videoCodec: 'H264',
          audioCodec: 'AAC',
          width: 426,
          height: 240,
          fps: 25,
          bitrateKbps: 230,
          ageMs: 14901,
        },
      ],
    });
    expect(streams).toHaveLength(1);
  });

  it('keeps its other figures where one has another form', () => {
    const invalid: string[] = [];
    const text = page('1-publisher')
      .replace(/<width>\d+<\/width>/, '<width><odd/></width>')
      .replace(/<pid>\d+<\/pid>/, '<pid><a/><b/></pid>');
    const read = readStat(text, (each) => invalid.push(...each));
    expect(read?.streams).toMatchObject([{ name: 'cam', isPublished: true, video: { height: 240 } }]);
    expect(read?.pid).toBeUndefined();
    expect(invalid).toHaveLength(2);
  });

  it('counts 300 players separately from their publisher', () => {
    const [stream] = stat(page('300-players')).streams;
    expect(stream).toMatchObject({ viewerCount: 300, isPublished: true, publisherAddress: '10.77.0.1' });
    expect(stream?.viewers).toHaveLength(300);
  });

  it('a second after the publisher disconnected, still with the figures of its last ten seconds', () => {
    const text = page('1s-after-publisher-stopped-players-still-there');
    expect(text).toContain('<bw_in>227056</bw_in>');
    expect(new Figures().take(stat(text), 0)).toEqual({
      values: { originViewers: 300, originStreams: 0, originConnections: 300 },
      streams: [{ stream: 'cam', source: 'no publisher', viewers: 300 }],
    });
  });

  it.each(['idle', 'players-gone'])('with nothing live (%s)', (name) => {
    expect(stat(page(name))).toMatchObject({ clients: 0, streams: [] });
  });

  it('is not recognised in other or incomplete pages', () => {
    const text = page('300-players');
    expect(readStat(text.slice(0, -20))).toBeUndefined();
    expect(readStat(text.slice(0, 5000))).toBeUndefined();
    expect(readStat('<!DOCTYPE html><html></html>')).toBeUndefined();
    expect(readStat('<rtmp></rtmp>')).toBeUndefined();
    expect(readStat(`${'<a>'.repeat(20_000)}</rtmp>`)).toBeUndefined();
    expect(readStat('')).toBeUndefined();
  });

  it("resolves only XML's predefined entities", () => {
    const bomb = page('1-publisher')
      .replace('?>', '?><!DOCTYPE rtmp [<!ENTITY a "boom"><!ENTITY b "&a;&a;">]>')
      .replace('<name>cam', '<name>007 &amp;&b;&#33;');
    expect(stat(bomb).streams[0]?.name).toBe('007 &&b;!');
    expect(plainText('&lt;&#x41;&#9999999;&unknown;')).toBe('<A&#9999999;&unknown;');
  });

  it('distinguishes apps and server blocks', () => {
    const text = page('1-publisher');
    const server = text.slice(text.indexOf('<server>'), text.indexOf('</rtmp>'));
    const application = server.slice(server.indexOf('<application>'), server.indexOf('</server>'));
    const other = application.replace('<name>live', '<name>show');
    const all = text
      .replace('</server>', `${other}</server>${server}<server></server>`)
      .replace('<application>', '<application></application><application>');
    expect(new Figures().take(stat(all), 0).streams.map(({ stream }) => stream)).toEqual([
      'cam',
      'show/cam',
      'cam?srv=1',
    ]);
  });

  it('without clients still counts viewers', () => {
    const text = page('300-players').replace(/<client>.*?<\/client>\s*/g, '');
    expect(stat(text).streams[0]).toMatchObject({ viewerCount: 300, viewers: [] });
    const figures = new Figures();
    figures.take(stat(text), 0);
    expect(figures.take(stat(text), 1000).streams[0]).not.toHaveProperty('degraded');
  });
});

describe('from page to page', () => {
  it('measures traffic by nginx’s own clock', () => {
    const figures = new Figures();
    figures.take(stat(page('1-publisher')), 0);
    const { values } = figures.take(stat(page('300-players')), 99_999);
    expect(values.originOutMbps).toBeCloseTo(((200181224 - 409) * 8) / 1000 / (44747 - 14725), 6);
    expect(values.originInMbps).toBeCloseTo(((1338811 - 400049) * 8) / 1000 / (44747 - 14725), 6);
  });

  it('reports no new traffic or dropped frames for a page 5 ms after another', () => {
    const figures = new Figures();
    const text = page('300-players');
    const later = text
      .replace(/<time>(\d+)</g, (_, ms: string) => `<time>${Number(ms) + 1000}<`)
      .replace('<bytes_out>200181224', '<bytes_out>210181224')
      .replace(/(<id>303<.*?<dropped>)0/, '$17');
    const next = later.replace(/<time>(\d+)</g, (_, ms: string) => `<time>${Number(ms) + 5}<`);
    figures.take(stat(text), 0);
    const first = figures.take(stat(later), 1000).values;
    expect([first.originOutMbps, first.originDegraded]).toEqual([80, 1]);
    const { originOutMbps, originDegraded } = figures.take(stat(next), 1005).values;
    expect([originOutMbps, originDegraded]).toEqual([80, 1]);
  });

  it('compares nothing with another process', () => {
    const figures = new Figures();
    figures.take(stat(page('1-publisher')), 0);
    const { values } = figures.take(stat(page('300-players').replace('23323', '23324')), 1000);
    expect(values).not.toHaveProperty('originOutMbps');
    expect(figures.take(stat(page('1-publisher').replace('23323', '23324')), 2000).values).not.toHaveProperty(
      'originOutMbps',
    );
  });

  it('uses the mean since the publisher connected until nginx has one, but not in the first seconds', () => {
    const young = page('1-publisher').replace(/<bw_in>\d+/g, '<bw_in>0');
    const bitrateAt = (publishedForMs: number): number | undefined =>
      new Figures().take(stat(young.replace('<time>14901<', `<time>${publishedForMs}<`)), 0).streams[0]?.bitrateKbps;
    expect(bitrateAt(5000)).toBe(Math.round((391102 * 8) / 5000));
    expect(bitrateAt(1500)).toBeUndefined();
  });

  it('counts viewers with dropped frames as degraded', () => {
    const figures = new Figures();
    const text = page('300-players');
    figures.take(stat(text), 0);
    const later = text.replace(/(<id>303<.*?<dropped>)0/, '$17').replace(/(<id>302<.*?<dropped>)0/, '$11');
    expect(figures.take(stat(later), 1000)).toMatchObject({
      values: { originDegraded: 2 },
      streams: [{ degraded: 2 }],
    });
    expect(figures.take(stat(later), 2000).values.originDegraded).toBe(0);
  });
});

describe('a stat page of nginx-http-flv-module', () => {
  const flvPage = (name: string): string =>
    readFileSync(join(__dirname, '../../../../tests/fixtures/nginx-rtmp', name), 'utf8');

  it('has the same in XML and in JSON, with viewers of HTTP-FLV and of RTMP', () => {
    const stream = {
      source: 'RTMP · 127.0.0.1',
      videoCodec: 'H264',
      audioCodec: 'AAC',
      width: 320,
      height: 240,
      fps: 25,
      bitrateKbps: 286,
    };
    for (const [file, ageMs] of [
      ['http-flv-live.xml', 0],
      ['http-flv-live.json', 41],
    ] as const) {
      const read = stat(flvPage(file));
      expect(read).toMatchObject({
        module: 'nginx-http-flv',
        moduleVersion: '1.2.13',
        pid: 11105,
        uptimeS: 35,
        ports: [1935],
      });
      expect(new Figures().take(read, 0), file).toEqual({
        values: { originViewers: 4, originStreams: 2, originConnections: 6 },
        streams: [
          { ...stream, stream: 'demo', viewers: 4, viewersBy: { rtmp: 2, 'http-flv': 2 }, ageMs: 13_695 + ageMs },
          { ...stream, stream: 'hls/demo2', viewers: 0, viewersBy: { rtmp: 0, 'http-flv': 0 }, ageMs: 13_687 + ageMs },
        ],
      });
    }
  });

  it('has no streams when idle', () => {
    expect(stat(flvPage('http-flv-idle.xml'))).toMatchObject({ module: 'nginx-http-flv', streams: [], clients: 0 });
  });

  it('is incomplete without its end', () => {
    for (const file of ['http-flv-live.xml', 'http-flv-live.json'])
      expect(readStat(flvPage(file).slice(0, -20)), file).toBeUndefined();
  });
});
