import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FullhouseError } from '../contract/calls';
import { agentListening, agentResponse, agentStatus } from '../contract/agentProtocol';
import { agentRecord } from '../contract/agentSample';
import { parseNodes, parsePlan, PlanError } from '../domain/plan/planYaml';
import { clientFault, parseIperf, secondsOf } from './iperf/iperfResult';
import type { HttpLink } from './links/http/httpLink';
import { openHttpLink } from './links/http/openHttpLink';
import { RecordInbox } from './links/recordInbox';
import { readSshConfig } from './links/ssh/configFile';
import { lineMatches, parseKnownHosts } from './links/ssh/knownHosts';
import { UnreadableError } from './preflight/reading/facts';
import { yamlAt } from './preflight/reading/yamlOf';
import { parseRules } from './preflight/custom/ruleFile';
import { isWantedMetric, metricsReader } from './servers/livekit/metrics';
import { roomService } from './servers/livekit/roomService';
import { roomView } from './servers/livekit/roomViews';
import { readStat } from './servers/nginxRtmp/stat';
import { postOffer } from './servers/signalling';
import { srsApi } from './servers/srs/srsApi';
import { detectFormat } from './servers/wcs/statistics/detectFormat';
import { seriesOf } from './servers/wcs/statistics/values';
import { stripDecorations, parseGcLine } from './telemetry/gc/gcLine';
import { gcPauseFromMetrics } from './telemetry/gc/gcMetrics';
import { hostValues } from './telemetry/hostRates';
import { parseMetrics } from './telemetry/metrics/exposition';
import { nodeMachine, nodeReading } from './telemetry/metrics/nodeMetrics';
import { PrometheusApi } from './telemetry/metrics/prometheusApi';
import { BestOffset } from './links/bestOffset';
import { parseProcResponse } from './telemetry/proc/procReading';
import { parseFacts } from './telemetry/proc/machineFacts';
import { parseFound } from './telemetry/proc/processPick';
import { parseOpenFilesLimit, parseProc } from './telemetry/procParse';
import { damaged, fixture, parsesOrFails } from '../../tests/support/damage';

/** A parser that responds in time also does so here, where 2,000 inputs are read. */
const timeout = 600_000;
const isSentence = (error: unknown): boolean => error instanceof FullhouseError;

let folder: string;
let server: Server;
let http: HttpLink;
let base: string;
let body = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-damage-'));
  server = createServer((_, response) => response.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  http = openHttpLink({ who: 'edge', base });
});
afterAll(() => {
  http.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Queries a server that responds to everything with this. */
const answeredBy = (ask: () => Promise<unknown>) => (text: string) => {
  body = text;
  return ask();
};

describe('a damaged server response is parsed or reported', () => {
  it('of a WHEP server, byte for byte', { timeout }, async () => {
    const sdp = fixture('srs/whep-answer-no-publisher.sdp');
    const answer = `HTTP/1.1 201 Created\r\nLocation: /session/7\r\nContent-Length: ${sdp.length}\r\nConnection: close\r\n\r\n${sdp}`;
    let response = '';
    const raw = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(response));
    });
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(raw.address() as AddressInfo).port}/whep/cam`;
    try {
      const read = async (text: string): Promise<void> => {
        response = text;
        const { resourceUrl } = await postOffer(url, 'v=0');
        expect(new URL(resourceUrl).origin).toBe(new URL(url).origin);
      };
      await parsesOrFails(damaged(answer), read, isSentence);
    } finally {
      raw.close();
    }
  });

  it('of nginx-rtmp', { timeout }, () =>
    parsesOrFails(
      damaged(fixture('nginx-rtmp/stat-1-publisher.xml'), fixture('nginx-rtmp/stat-idle.xml')),
      (text) => readStat(text),
      isSentence,
    ),
  );

  it('of SRS', { timeout }, () => {
    const api = srsApi(http, 'edge', base);
    const ask = async (): Promise<void> => {
      const asked = [api.versions(), api.summaries(), api.streams(), api.clients(), api.vhosts()];
      const failed = (await Promise.allSettled(asked)).flatMap((each) =>
        each.status === 'rejected' ? [each.reason as unknown] : [],
      );
      const other = failed.find((error) => !isSentence(error));
      if (other !== undefined) throw other as Error;
    };
    const captures = ['versions', 'summaries', 'streams', 'clients_count5', 'vhosts'];
    return parsesOrFails(
      damaged(...captures.map((name) => fixture(`srs/rtmp-300/${name}.json`)), fixture('srs/api-errors.json')),
      answeredBy(ask),
    );
  });

  it('of LiveKit', { timeout }, () => {
    const rooms = roomService({
      who: 'sfu',
      http,
      base,
      apiKey: 'key',
      apiSecret: () => 'secret',
      wall: Date.now,
    });
    const ask = async (): Promise<void> => {
      for (const room of await rooms.listRooms()) roomView(room, undefined, 0);
      await rooms.listParticipants('cam');
    };
    return parsesOrFails(
      damaged(fixture('livekit/ListRooms-1pub-2sub.json'), fixture('livekit/ListParticipants-1pub-2sub.json')),
      answeredBy(ask),
      isSentence,
    );
  });

  it('of LiveKit, its metrics', { timeout }, () =>
    parsesOrFails(
      damaged(fixture('livekit/metrics-room-1pub-2sub.prom')),
      (text) => metricsReader().read(parseMetrics(text, isWantedMetric, 'sfu'), 0),
      isSentence,
    ),
  );

  it('of WCS, in each of its forms', { timeout }, () =>
    parsesOrFails(
      damaged(
        'streams_viewers=300\nstreams_play_rate=61000\ngc_pause=1.25\ncore_java_totalMemory=1073741824\n',
        '{"streams_stats":{"streams_viewers":"300","streams_play_rate":61000},"system":{"cpu":12.5}}',
        '# TYPE streams_viewers gauge\nstreams_stats{param="streams_viewers"} 300\nsystem_stats{param="cpu"} 12\n',
      ),
      (text) => {
        const statistics = detectFormat(text);
        const values = statistics ? Object.values(seriesOf(statistics)) : [];
        expect(values.filter((value) => !Number.isFinite(value))).toEqual([]);
      },
      isSentence,
    ),
  );

  it('of node_exporter', { timeout }, () =>
    parsesOrFails(
      damaged(fixture('node-exporter/metrics.prom').slice(0, 60_000), fixture('srs/after/metrics.prom')),
      (text) => {
        const metrics = parseMetrics(text, () => true, 'edge');
        nodeMachine(metrics);
        gcPauseFromMetrics(metrics, undefined);
        const values = hostValues(nodeReading(metrics, 0), nodeReading(metrics, 1000), 'remote');
        expect(Object.values(values).filter((value) => !Number.isFinite(value))).toEqual([]);
      },
      isSentence,
    ),
  );

  it('of Prometheus', { timeout }, () => {
    const api = new PrometheusApi(http, 'prometheus', base);
    const captures = ['query-instant', 'query_range-node_load1', 'query_range-nan', 'query_range-error-parse'];
    return parsesOrFails(
      damaged(...captures.map((name) => fixture(`prometheus/${name}.json`))),
      answeredBy(() => api.query('up')),
      isSentence,
    );
  });
});

describe('damaged text of a host is parsed or ignored', () => {
  const files = ['stat', 'loadavg', 'uptime', 'meminfo', 'net_sockstat', 'net_snmp', 'net_dev', 'srs_pid_stat'];
  const before = files.map((name) => fixture(`proc/${name}.t0.txt`)).join('');
  const now = files.map((name) => fixture(`proc/${name}.t1.txt`)).join('');

  it('of /proc', { timeout }, () => {
    const reading = (text: string, monotonicMs: number) => ({
      ...parseProc(text.split('\n')),
      monotonicMs,
      processes: undefined,
    });
    const first = reading(before, 0);
    return parsesOrFails(damaged(before, now), (text) => {
      const values = hostValues(first, reading(text, 1000), 'remote');
      expect(Object.values(values).filter((value) => !Number.isFinite(value))).toEqual([]);
      expect(Object.keys(values).length).toBeLessThan(5000);
      parseProcResponse('1795270977113152819', text.split('\n'));
      parseFacts(text.split('\n'));
      text.split('\n').forEach((line) => parseFound(line));
      parseOpenFilesLimit(text);
    });
  });

  it('of a JVM', { timeout }, () =>
    parsesOrFails(
      damaged(
        ...['g1-fast.log', 'zgc-slow.log', 'stdout-uptime-time-slow.log'].map((name) =>
          fixture(`jvm/${name}`).slice(0, 8000),
        ),
      ),
      (text) => text.split('\n').map((line) => [stripDecorations(line), parseGcLine(line)]),
    ),
  );

  it('of iperf3', { timeout }, () => {
    const places = { client: 'a', server: 'b', address: '::1', port: 5201, protocol: 'udp' } as const;
    return parsesOrFails(
      damaged(...['tcp-5s', 'udp-200M-5s', 'server-busy'].map((name) => fixture(`iperf3/${name}.json`))),
      (text) => {
        const answer = parseIperf(text, { protocol: 'udp', direction: 'toServer' });
        if (answer?.error !== undefined) clientFault(answer.error.slice(0, 500), places);
        text.split('\n').forEach((line) => secondsOf(line));
      },
    );
  });

  it('of an agent', { timeout }, () => {
    const names = ['sample-record-audience', 'sample-record-lab', 'event-record', 'audience-viewers-response'];
    const others = ['hello-response-audience', 'listening', 'status-alive'];
    const hello = JSON.parse(fixture('agent-protocol/hello-response-audience.json')) as { result: unknown };
    const all = [...names, ...others].map((name) => fixture(`agent-protocol/${name}.json`));
    return parsesOrFails(
      damaged(...all),
      (text) => {
        const raw: unknown = JSON.parse(text);
        for (const schema of [agentResponse, agentRecord, agentListening, agentStatus]) schema.safeParse(raw);
        const inbox = new RecordInbox('audience', new BestOffset(), () => undefined);
        inbox.greet(hello.result);
        inbox.take(raw, text);
      },
      // The link reports input that is not JSON.
      (error) => error instanceof SyntaxError,
    );
  });
});

describe('damaged user files are parsed or reported with their line', () => {
  const plan = `name: Pull 1000 on the local lab
nodes:
  origin: &o { server: srs, url: "http://10.0.0.9:1985", ssh: qa@10.0.0.9, selfSigned: true }
  tester-1: { tester: ssh, ssh: "qa@10.0.0.11:2222", jump: bastion }
publish: [{ stream: cam, node: origin, source: sample-240p, by: tester-1 }]
pull:
  stream: cam
  from: origin
  by: [tester-1]
  stages: [{ ramp: 500, over: 30s }, { hold: 5m }, { churn: 10%, every: 9s, for: 50s, rate: 5/s }]
expect: { connected: ">= 99%", rttP95Ms: [{ is: "<= 2ms", node: origin }] }
stop: ["degraded > 20% for 30s"]
schedule: { at: 2026-11-22T03:00:00Z, repeat: 3 }
`;
  const isFault = (error: unknown): boolean => error instanceof PlanError;

  it('a plan', { timeout }, () => parsesOrFails(damaged(plan), (text) => parsePlan(text), isFault));

  it('a fleet', { timeout }, () =>
    parsesOrFails(damaged(plan.slice(plan.indexOf('nodes'), plan.indexOf('publish'))), parseNodes, isFault),
  );

  it('a configuration and a file of rules', { timeout }, async () => {
    const rule = `id: own.backlog\ntitle: Backlog\nwhy: Bursts\nread: { sysctl: net.core.somaxconn }\nexpect: ">= 1024"\nsource: us\n`;
    await parsesOrFails(damaged(rule), (text) => parseRules(text, 'own.yaml'), isSentence);
    const isUnread = (error: unknown): boolean => error instanceof UnreadableError;
    await parsesOrFails(
      damaged('rtc: { port_range_start: 50000 }\nlimit:\n  num_tracks: 0\n'),
      (text) => yamlAt(text, 'livekit.yaml', 'rtc', 'port_range_start'),
      isUnread,
    );
  });

  it('an ssh config and known hosts', { timeout }, async () => {
    const config = `Include other [a-z]*.conf\nTag t\nMatch tagged t exec x\n  Port 2\nHost edge *.example\n  HostName 10.0.0.9\n  User qa\n  ProxyJump gate:2222\nMatch host edge\n  IdentityFile ~/.ssh/id_qa\nHost *\n  IdentitiesOnly yes\n`;
    const file = join(folder, 'config');
    const read = (text: string): unknown => {
      writeFileSync(file, text);
      return readSshConfig({
        files: [{ path: file, folder }],
        host: 'edge',
        localUser: 'me',
        given: {},
        hostOf: (name = 'edge') => name,
      });
    };
    await parsesOrFails(damaged(config), read, isSentence);
    const known = `[10.0.0.9]:2222,edge ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE==\n|1|JfKTdBh7rNbXkVAQCRp4OQoPfmI=|USECr3SWf1JUPsms5AqfD5QfxkM= ssh-rsa AAAAB3Nz\n@revoked * ssh-rsa AAAA\n`;
    await parsesOrFails(damaged(known), (text) =>
      parseKnownHosts(text).map((line) => lineMatches(line, '[10.0.0.9]:2222')),
    );
  });
});
