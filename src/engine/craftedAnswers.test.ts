import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FullhouseError } from '../contract/calls';
import { readInventory } from '../domain/node/inventory';
import { parseNodes, parsePlan, PlanError } from '../domain/plan/planYaml';
import { parseForeignJson } from '../domain/budget/foreignJson';
import { readKubeconfig } from './kubernetes/kubeconfigFile';
import { parseIperf } from './iperf/iperfResult';
import { readJson } from './links/http/readResponse';
import { LineSplitter } from './links/ssh/lineSplitter';
import { lineMatches, parseKnownHosts } from './links/ssh/knownHosts';
import { UnreadableError } from './preflight/reading/facts';
import { yamlAt } from './preflight/reading/yamlOf';
import { readStat } from './servers/nginxRtmp/stat';
import { streamsResponse } from './servers/srs/responses';
import { detectFormat } from './servers/wcs/statistics/detectFormat';
import { parseGcLine } from './telemetry/gc/gcLine';
import { parseMetrics } from './telemetry/metrics/exposition';
import { parseFacts } from './telemetry/proc/machineFacts';
import { parseProcResponse } from './telemetry/proc/procReading';
import { parseProc } from './telemetry/procParse';
import { parsesWithinBounds } from '../../tests/support/crafted';
import { fixture } from '../../tests/support/damage';

/** More than a thousand inputs each, on a busy machine. */
const timeout = 300_000;
const isSentence = (error: unknown): boolean => error instanceof FullhouseError;
/** The size of the longest response that is read. */
const long = 8_000_000;
const filled = (part: string, before = '', after = ''): string =>
  before + part.repeat(Math.floor((long - before.length - after.length) / part.length)) + after;

describe('a small input with a huge meaning is bounded', () => {
  it('as JSON', { timeout }, () =>
    parsesWithinBounds(
      ['versions', 'summaries', 'streams', 'clients_count5'].map((name) => fixture(`srs/rtmp-300/${name}.json`)),
      {
        nesting: filled('['),
        'empty lists': filled('[],', '[', '[]]'),
        'empty objects': filled('{},', '[', '{}]'),
        'different names': `{${Array.from({ length: 500_000 }, (_, i) => `"k${i}":0`).join()}}`,
        numbers: filled('1,', '[', '1]'),
        'escaped quotes': filled('\\"', '"', '"'),
        'a list of streams': filled('{},', '{"code":0,"streams":[', '{}]}'),
      },
      (text) => readJson('edge', new URL('http://edge/'), text, z.union([streamsResponse, z.unknown()])),
      isSentence,
    ),
  );

  it('as metrics', { timeout }, () =>
    parsesWithinBounds(
      [fixture('node-exporter/metrics.prom').slice(0, 20_000), fixture('srs/after/metrics.prom').slice(0, 20_000)],
      {
        'short lines': filled('a 1\n'),
        labels: filled('a="",', 'a{', '} 1'),
        'different labels': `a{${Array.from({ length: 600_000 }, (_, i) => `k${i}=""`).join()}} 1`,
        'labels without an end': filled('a{b="'),
        'a line without an end': filled('a'),
        names: Array.from({ length: 800_000 }, (_, i) => `m${i} 1\n`).join(''),
      },
      (text) => parseMetrics(text, () => true, 'edge'),
      isSentence,
    ),
  );

  it('as XML', { timeout }, () =>
    parsesWithinBounds(
      [fixture('nginx-rtmp/stat-1-publisher.xml'), fixture('nginx-rtmp/stat-idle.xml')],
      {
        'clients without an end': filled('<client>', '<rtmp><stream>', '</rtmp>'),
        clients: filled('<client></client>', '<rtmp><stream>', '</stream></rtmp>'),
        elements: filled('<a/>', '<rtmp>', '</rtmp>'),
        nesting: filled('<a>', '<rtmp>', '</rtmp>'),
        streams: filled('<stream></stream>', '<rtmp>', '</rtmp>'),
        entities: `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1000)}">]><rtmp>${'&b;'.repeat(1_000_000)}</rtmp>`,
        'the end of the page': filled('</rtmp> ', '<rtmp>'),
      },
      (text) => readStat(text),
      isSentence,
    ),
  );

  it('as a plan, a fleet and a configuration', { timeout }, async () => {
    const plan = `nodes:\n  origin: &o { server: srs, url: "http://10.0.0.9:1985" }\n  tester-1: { tester: ssh, ssh: qa@h }\npull: { stream: cam, from: origin, by: [tester-1], stages: [{ ramp: 500, over: 30s }] }\n`;
    const levels = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`).join('\n');
    const maps = Array.from(
      { length: 9 },
      (_, i) => `b${i + 1}: &b${i + 1} { ${'xyzuvwrst'.replace(/./g, (c) => `${c}: *b${i}, `)} }`,
    );
    const worst = {
      'aliases of lists': `a0: &a0 [x]\n${levels}\n${plan}`,
      'aliases of maps': `b0: &b0 { x: 1 }\n${maps.join('\n')}\n${plan}`,
      'aliases where stages are': `${plan}x: &x [${'{ hold: 1s },'.repeat(400)}]\ny: [${'*x,'.repeat(499)}]\n`,
      'a list of lists': filled('- ').slice(0, 150_000),
      keys: Array.from({ length: 19_000 }, (_, i) => `k${i}: 1`).join('\n'),
      'a long text': filled('x'),
    };
    const isFault = (error: unknown): boolean => error instanceof PlanError;
    // One parser reads all three, and gets its thousand inputs once.
    await parsesWithinBounds([plan], worst, (text) => parsePlan(text), isFault);
    await parsesWithinBounds([plan.slice(0, plan.indexOf('pull'))], worst, (text) => parseNodes(text), isFault, 50);
    await parsesWithinBounds(
      ['rtc: { port_range_start: 50000 }\nlimit:\n  num_tracks: 0\n'],
      worst,
      (text) => yamlAt(text, 'livekit.yaml', 'rtc', 'port_range_start'),
      (error) => error instanceof UnreadableError,
      50,
    );
  });

  it('as the text of a host', { timeout }, async () => {
    const proc = ['stat', 'meminfo', 'net_snmp', 'net_dev'].map((name) => fixture(`proc/${name}.t0.txt`)).join('');
    await parsesWithinBounds(
      [proc],
      {
        processors: filled('cpu1 1 1 1 1 1 1 1 1\n'),
        'a line without an end': filled('1 ').slice(0, 1_000_000),
        interfaces: filled('eth0: 1 1 1 1 1 1 1 1 1\n'),
      },
      (text) => {
        const lines = text.split('\n');
        return [parseProc(lines), parseProcResponse('1795270977113152819', lines), parseFacts(lines)];
      },
    );
    await parsesWithinBounds(
      [fixture('jvm/g1-fast.log').slice(0, 4000), fixture('jvm/zgc-slow.log').slice(0, 4000)],
      { 'a line without an end': filled('[1s]').slice(0, 1_000_000), spaces: filled(' ').slice(0, 1_000_000) },
      (text) => text.split('\n').map((line) => parseGcLine(line)),
    );
    await parsesWithinBounds(
      [fixture('iperf3/tcp-5s.json'), fixture('iperf3/udp-200M-5s.json')],
      { nesting: filled('{"end":'), lists: filled('[],', '{"a":[', '[]]}') },
      (text) => parseIperf(text, { protocol: 'udp', direction: 'toServer' }),
    );
    await parsesWithinBounds(
      [
        'streams_viewers=300\ngc_pause=1.25\n',
        '{"streams_stats":{"streams_viewers":"300"}}',
        'streams_stats{param="a"} 3\n',
      ],
      { lines: filled('a=1\n').slice(0, 4_000_000), JSON: filled('{"a":').slice(0, 4_000_000) },
      (text) => detectFormat(text),
      isSentence,
    );
  });

  it('as a kubeconfig', { timeout }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fullhouse-crafted-'));
    const path = join(folder, 'config');
    const config =
      'current-context: a\nclusters:\n- { name: c, cluster: { server: "https://10.0.0.1" } }\ncontexts:\n- { name: a, context: { cluster: c, user: u } }\nusers:\n- { name: u, user: { token: t } }\n';
    const levels = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`).join('\n');
    try {
      await parsesWithinBounds(
        [config],
        {
          keys: `${config}${Array.from({ length: 80_000 }, (_, i) => `k${i}: 1`).join('\n')}`,
          nesting: filled('[').slice(0, 1_000_000),
          items: filled('- ').slice(0, 1_000_000),
          aliases: `a0: &a0 [x]\n${levels}\n${config}`,
        },
        (text) => {
          writeFileSync(path, text);
          return readKubeconfig(path);
        },
        isSentence,
      );
      const largest = `${config}users2:\n${`- { name: u, user: { client-certificate-data: ${'A'.repeat(4000)} } }\n`.repeat(200)}`;
      writeFileSync(path, largest);
      expect(readKubeconfig(path).currentContext).toBe('a');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('as known hosts and an inventory', { timeout }, async () => {
    await parsesWithinBounds(
      [
        '[10.0.0.9]:2222,edge ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE==\n|1|JfKTdBh7rNbXkVAQCRp4OQoPfmI=|USECr3SWf1JUPsms5AqfD5QfxkM= ssh-rsa AAAAB3Nz\n',
      ],
      { patterns: `${'*a'.repeat(50)}b ssh-rsa AAAA\n`.repeat(1000), names: `${'a,'.repeat(500_000)} ssh-rsa AAAA` },
      (text) => parseKnownHosts(text).map((line) => lineMatches(line, `[${'a'.repeat(200)}]:2222`)),
    );
    await parsesWithinBounds(
      ['[load]\nqa@10.0.0.[11:14]\nedge ansible_host=10.0.0.5\n[load:children]\nother\n'],
      {
        ranges: 'h[0:999999999].example\n'.repeat(100),
        'ranges of ranges': `h${'[0:999]'.repeat(6)}\n`,
        lines: 'a\n'.repeat(400_000),
      },
      (text) => readInventory(text),
    );
  });
});

describe('an exceeded limit is one sentence', () => {
  it('of a response', () => {
    const read = (text: string) => () => readJson('edge', new URL('http://edge/x?key=1'), text, z.unknown());
    expect(read('['.repeat(1000))).toThrow(
      'edge: http://edge/x: its response has more than 100 levels of nesting; check the address.',
    );
    expect(read(filled('1,', '[', '1]'))).toThrow(
      'edge: http://edge/x: its response has more than 2,000,000 values; check the address.',
    );
    expect(() => parseMetrics(filled('a 1\n'), () => true, 'edge at http://edge')).toThrow(
      'edge at http://edge has more than 200,000 values and labels of the metrics that are read; check the address.',
    );
    expect(parseForeignJson(`{"a":"${'['.repeat(1000)}\\\\","b":[1]}`)).toEqual({ a: `${'['.repeat(1000)}\\`, b: [1] });
  });

  it('of a line that arrives byte by byte', () => {
    let problems = 0;
    const lines = new LineSplitter(
      () => undefined,
      1_000_000,
      () => (problems += 1),
    );
    const byte = Buffer.from('x');
    for (let i = 0; i < 1_500_000; i += 1) lines.push(byte);
    expect(problems).toBe(1);
  });
});
