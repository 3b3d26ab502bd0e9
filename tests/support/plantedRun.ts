import type { RunEvent, RunView } from '../../src/domain/model/run';
import { Histogram } from '../../src/domain/distribution/histogram';
import { audienceId } from '../../src/domain/model/audience';
import type { ViewerRow } from '../../src/contract/viewerSchemas';
import type { RunLibrary } from '../../src/engine/store';
import { testSample, testStartMs, testView } from './savedRun';
import { audienceIn } from './pullPlan';

/** A run with something that identifies its customer in every text that a run can have. */

/** Credentials: no output has them, anonymized or not, if the engine knows them or their position tells. */
export const plantedSecrets = {
  addressPassword: 'pw-Zeisig41',
  addressToken: 'tok-Dompfaff42',
  hookToken: 'tok-Stieglitz43',
  knownPassword: 'Gimpel-44-known',
} as const;

/** By what it is; each is in at least one field, and none is a word of the program. */
export const plantedIdentities = {
  runName: 'Kontoso Finale 2026',
  runNameSlug: 'kontoso-finale',
  tag: 'kontosotag',
  runNote: 'Asked by Mueller-Luedenscheidt',
  eventNote: 'The sponsor Bratwurst AG complained',
  savedNote: 'Call Schnitzelberger first',
  noteAuthor: 'Wolkenstein',
  origin: 'kontoso-media',
  tester: 'kontoso-load-1',
  group: 'kontoso-fleet',
  stream: 'finale-arena',
  secondStream: 'backstage-cam7',
  participant: 'sponsorlounge',
  label: 'Bratwurst guests',
  secondLabel: 'Lounge phones',
  host: 'media.kontoso-tv.com',
  upperHost: 'MEDIA.KONTOSO-TV.COM',
  bareHost: 'streambox7',
  jumpHost: 'gatehouse',
  ipv4: '10.77.30.40',
  ipv6: '2001:db8:77::9',
  zone: 'fe80::77:1%wlanqx',
  member: 'member7.kontoso-tv.com',
  user: 'h.schnitzel',
  homeUser: 'kloesschen',
  keyFile: 'id_kontoso_prod',
  gcLog: 'gc-kontoso.log',
  inventory: 'hosts-kontoso.ini',
  videoFile: 'finale-trailer.mp4',
  configPath: '/etc/bratpfanne/wcs',
  process: 'bratpfanned',
  otherProgram: 'wurstencoder',
  baselineProgram: 'krautindexer',
  apiKey: 'APIwurst123key',
  streamKeyInPath: 'sk-in-path-77abc',
  hookPath: 'T0WURST',
  hookProgram: 'notify-wurst.sh',
  hookArgument: 'customer-brezel',
  tokenTemplate: 'seat-brezn',
  tokenCommand: 'make-wurst-tokens',
  claims: 'krapfen-claim',
  header: 'X-Wurst-Id',
  headerValue: 'strudel-value',
  secretName: 'WURST_VAULT_KEY',
  turnUser: 'turn-knoedel',
  awsKey: 'AKIAWURSTKEY77ABCDEF',
  awsSecret: 'wJalr7XUtnFEMI/K7MDENG/bPxRfiCYWURSTKEY77',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ3dXJzdCJ9.c2lnd3Vyc3Q',
  githubToken: 'ghp_Wurst16C7e42F292c6912E7710c838347Ae',
  mac: '00:1b:44:11:3a:b7',
  macCisco: '001b.4411.77fe',
  unc: '\\\\fileserver77\\media\\finale',
  windowsPath: 'C:\\Users\\kaiserschmarrn\\plan.yaml',
  iban: 'DE89 3704 0044 0532 0130 00',
  card: '4111 1111 1111 1111',
  phone: '+49 170 7654321',
  phoneEnd: '7654321',
  email: 'noc@bratwurst-ag.com',
  coordinates: '52.520008, 13.404954',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  arn: 'arn:aws:iam::778899001122:role/wurst',
  account: '778899001122',
  fingerprint: 'SHA256:d3Vyc3RiYXN0ZWxidWRlcGVzdG8xMjM0NTY3ODk',
  serverAnswer: 'tenant Obazda is over quota',
  serverWord: 'Obazda',
  jsonAnswer: 'leberkaese-plan',
  htmlAnswer: 'Weisswurst Edge',
  logLine: 'radieschen watchdog fired',
  sshBanner: 'Property of Spaetzle GmbH',
  namespace: 'loadtest-haxn',
  context: 'haxn-cluster-admin',
  image: 'registry.haxn.io/perf/agent',
  selectorKey: 'haxn.io/pool',
  selectorValue: 'brezenpool',
  taint: 'haxn-only',
  promHost: 'prom.kontoso-tv.com',
  promLabel: 'haxn_tenant',
  promLabelValue: 'goldkunde',
  promql: 'haxn_sessions_total',
  serverFigure: 'haxn_sessions',
  interface: 'vpn-haxn0',
  chartTitle: 'Haxn board',
  layoutName: 'Haxn layout',
  software: 'HaxnEdge',
  kernel: 'haxnhardened',
  customRule: 'haxn.firewall',
  customRuleTitle: 'Haxn firewall',
  customRuleFix: 'haxnctl open 1935',
  picture: 'picture of the arena',
  writerHost: 'testerpc-haxn',
} as const;

export const plantedRunId = '2026-11-22-kontoso-finale-2026-abc234';

const p = plantedIdentities;
const s = plantedSecrets;

export function plantedView(id = plantedRunId): RunView {
  const base = testView(id);
  const [origin, tester] = base.nodes;
  if (!origin || !tester) throw new Error('The test run lacks its nodes.');
  return {
    ...base,
    name: p.runName,
    state: 'ended',
    endedMs: testStartMs + 130_000,
    phases: [{ name: 'hold', startMs: testStartMs, endMs: testStartMs + 130_000 }],
    plan: {
      ...base.plan,
      name: p.runName,
      nodes: {
        [p.origin]: {
          server: 'wcs',
          url: `http://jane:${s.addressPassword}@${p.host}:8081/${p.streamKeyInPath}`,
          rtmp: `rtmp://${p.bareHost}:1935/live/${p.streamKeyInPath}`,
          whep: `https://${p.host}/whep/{stream}?token=${s.addressToken}`,
          ssh: `${p.user}@${p.ipv4}:2222`,
          jump: `${p.user}@${p.jumpHost}:22`,
          keyFile: `~/.ssh/${p.keyFile}`,
          gcLog: `/opt/wcs/logs/${p.gcLog}`,
          config: p.configPath,
          process: p.process,
          user: p.user,
          apiKey: p.apiKey,
          apiSecret: `$secret:${p.secretName}`,
          prometheus: `http://${p.promHost}:9090`,
          instance: `${p.bareHost}:9100`,
          metrics: `http://[${p.ipv6}]:9100/metrics?token=${s.addressToken}`,
          queries: { 'server:x': `sum(${p.promql}{tenant="${p.promLabelValue}"})` },
        },
        [p.tester]: { tester: 'ssh', ssh: `${p.user}@${p.ipv4}` },
        [p.group]: {
          tester: 'kubernetes',
          kubeconfig: `/home/${p.homeUser}/.kube/config`,
          context: p.context,
          namespace: p.namespace,
          image: p.image,
          nodeSelector: { [p.selectorKey]: p.selectorValue },
          tolerations: [{ key: p.taint, operator: 'Equal', value: p.selectorValue, effect: 'NoSchedule' }],
          inventory: `/srv/${p.inventory}`,
          hosts: [`${p.user}@${p.member}`],
        },
      },
      publish: [
        { stream: p.stream, node: p.origin, source: 'external' },
        { stream: p.stream, node: p.origin, source: p.videoFile, by: p.tester },
        {
          stream: p.stream,
          node: p.origin,
          source: `rtsp://cam:${s.addressPassword}@${p.bareHost}/${p.streamKeyInPath}`,
          simulcast: [`/media/${p.videoFile}`],
        },
      ],
      pull: {
        ...audienceIn(base.plan),
        stream: p.stream,
        from: p.origin,
        by: [p.tester],
        weights: { [p.tester]: 2 },
        label: p.label,
        participant: p.participant,
        headers: { [p.header]: p.headerValue },
        tokens: { template: `${p.tokenTemplate}-{n}`, claims: `{"sub":"${p.claims}"}` },
        turn: {
          share: 50,
          url: `turn:${p.bareHost}:3478?transport=udp`,
          username: p.turnUser,
          password: `$env:${p.secretName}`,
        },
      },
      also: [
        {
          ...audienceIn(base.plan),
          stream: p.secondStream,
          from: p.origin,
          by: [p.tester],
          label: p.secondLabel,
          tokens: { command: [`/opt/${p.tokenCommand}`, p.hookArgument] },
          rooms: { size: 2, source: p.videoFile },
        },
      ],
      thresholds: [{ series: `server:${p.serverFigure}`, node: p.origin, comparison: '<=', value: 5 }],
      hooks: [
        { at: 'end', post: `https://${p.bareHost}/${p.hookPath}/hook?token=${s.hookToken}` },
        { at: 'start', run: [`/opt/${p.hookProgram}`, '--for', p.hookArgument] },
      ],
    },
    nodes: [
      {
        ...origin,
        id: p.origin,
        name: p.origin,
        server: 'wcs',
        reach: `http://jane:${s.addressPassword}@${p.host}:8081/${p.streamKeyInPath}`,
        host: `host ${p.upperHost}`,
        software: `${p.software} 5.2`,
        problem: `${p.origin}: ssh: ${p.sshBanner}.`,
        note: `Add SSH to ${p.bareHost} to measure its CPU.`,
        gcSource: `GC log over SSH (/opt/wcs/logs/${p.gcLog})`,
        streams: [
          { stream: p.stream, source: `RTMP · ${p.ipv4}` },
          { stream: p.secondStream, source: `WHIP · ${p.email}`, videoCodec: 'H264' },
        ],
        machine: {
          system: 'Ubuntu 22.04.3 LTS',
          kernel: `5.15.0-${p.kernel}`,
          cpuModel: 'Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz',
          cores: 8,
          memoryBytes: 8 * 2 ** 30,
          versions: { java: '17.0.2', wcs: `5.2-${p.kernel}` },
        },
        settings: {
          server: 'wcs',
          url: `http://${p.host}:8081/${p.streamKeyInPath}?token=${s.addressToken}`,
          ssh: `${p.user}@${p.ipv4}:2222`,
        },
        links: [{ kind: 'ssh', label: 'SSH', state: 'lost', problem: `Permission denied: ${p.sshBanner}` }],
        hostKey: {
          state: 'changed',
          host: `[${p.ipv4}]:2222`,
          keyType: 'ssh-ed25519',
          fingerprint: p.fingerprint,
          known: { fingerprint: p.fingerprint, where: `/home/${p.homeUser}/.ssh/known_hosts line 12` },
        },
        figureSources: [{ of: 'host', figures: 'CPU, memory', source: '/proc over SSH', others: [] }],
        capacity: { mbps: 900, protocol: 'tcp', between: p.tester, direction: 'out', measuredMs: testStartMs },
        load: {
          state: 'busy',
          sentence: `The machine of ${p.origin} is busy: other programs use 84 % of its CPU (top: ${p.otherProgram} 61 %).`,
        },
      },
      { ...tester, id: p.tester, name: p.tester, reach: `${p.user}@${p.ipv4}`, host: `host ${p.ipv4}` },
      {
        ...tester,
        id: p.group,
        name: p.group,
        colourSlot: 3,
        reach: `namespace ${p.namespace}`,
        host: 'unknown',
        group: {
          size: 2,
          ready: 1,
          members: [p.member, 'load-1'],
          missing: [{ index: 1, name: p.member, reason: `container can't be started: ${p.logLine}` }],
        },
      },
    ],
    failures: [
      {
        tester: p.tester,
        stage: 'signalling',
        cause: 'http-403',
        count: 3,
        example: {
          viewer: 7,
          timeMs: testStartMs + 1000,
          detail: `POST https://${p.host}/whep/${p.stream}?token=${s.addressToken} returned 403: ${p.serverAnswer}.`,
        },
      },
      {
        tester: p.tester,
        audience: p.label,
        stage: 'ice',
        cause: p.serverWord,
        count: 1,
        example: { viewer: 8, timeMs: testStartMs, detail: `No response from ${p.zone}; ask ${p.email}.` },
      },
    ],
    testerLimits: [
      {
        node: p.tester,
        kind: 'network',
        fromMs: testStartMs,
        toMs: testStartMs + 5000,
        viewers: 9,
        sentence: `Network of ${p.tester} (${p.interface}) was at 98 % of 1,000 Mbit/s.`,
        expected: 'expected <= 90 %',
      },
    ],
    preflight: {
      timeMs: testStartMs,
      findings: [
        {
          rule: 'kernel.udp-drops',
          title: 'UDP drops',
          node: p.origin,
          result: 'fail',
          sentence: `net.core.rmem_max is 212,992 on ${p.ipv4}.`,
          why: 'Datagrams are dropped.',
          fix: `ssh ${p.user}@${p.bareHost} sudo sysctl -w net.core.rmem_max=16777216`,
          source: 'Linux: /proc/net/snmp',
        },
        {
          rule: p.customRule,
          title: p.customRuleTitle,
          node: p.origin,
          result: 'warn',
          sentence: `The rule file of ${p.email} expects 1935.`,
          why: `Customers of ${p.serverWord} connect there.`,
          fix: p.customRuleFix,
          source: `https://${p.host}/wiki/${p.hookPath}`,
        },
      ],
    },
    baseline: [
      {
        nodes: [p.origin],
        values: { cpuPercent: 3, [`server:${p.serverFigure}`]: 4 },
        programs: [
          { name: p.baselineProgram, percent: 4 },
          { name: 'node', percent: 2 },
        ],
      },
    ],
    otherLoad: [
      {
        node: p.origin,
        timeMs: testStartMs + 9000,
        programs: [
          { name: p.otherProgram, percent: 61 },
          { name: 'sh', percent: 2 },
        ],
      },
    ],
    limit: {
      state: 'found',
      viewers: 250,
      plusMinus: 5,
      repeats: 1,
      trials: [
        {
          viewers: 250,
          repeat: 1,
          fromMs: testStartMs,
          toMs: testStartMs + 9000,
          result: 'missed',
          sentence: `${p.origin} refused viewers: ${p.serverAnswer}.`,
          busyNode: p.origin,
        },
      ],
      bottleneck: { what: 'origin-cpu', sentence: `CPU of ${p.origin} was 97 %.`, node: p.origin, timeMs: testStartMs },
      sentence: `250 +- 5 viewers; bottleneck: CPU of ${p.origin}.`,
    },
    browserViewers: {
      planned: 1,
      by: p.tester,
      playing: 0,
      watched: 0,
      failed: 1,
      problem: `The page failed: ${p.jwt} at ${p.windowsPath}`,
      freezes: 0,
      frozenMs: 0,
      browsers: {},
      audience: {},
    },
    verdict: {
      verdict: 'fail',
      sentence: `CPU of ${p.origin} was 97 % at 1:20.`,
      reasons: [
        {
          number: 1,
          sentence: `CPU of ${p.origin} (${p.host}) was 97 % at 1:20.`,
          expected: 'expected <= 80 %',
          expectation: 'cpu',
          timeMs: testStartMs + 80_000,
          node: p.origin,
        },
        {
          number: 2,
          sentence: `${p.serverFigure} of ${p.origin} was 9 at 1:30; other programs used 84 % of its CPU (top: ${p.otherProgram} 61 %).`,
          expected: 'expected <= 5',
          series: `server:${p.serverFigure}`,
          timeMs: testStartMs + 90_000,
          node: p.origin,
        },
      ],
      headroom: [`Memory of ${p.origin}: 40 % were free.`],
      audiences: [`"${p.label}": 990 of 1,000 viewers of ${p.stream} were connected.`],
      notes: [{ sentence: `GC pauses of ${p.origin} were not measured: ${p.logLine}.`, node: p.origin }],
    },
    earlyEnd: { kind: 'stop-condition', timeMs: testStartMs, sentence: `Stopped: CPU of ${p.origin} was over 95 %.` },
    imported: {
      prometheus: `http://${p.promHost}:9090/${p.streamKeyInPath}`,
      user: p.user,
      fromMs: testStartMs,
      toMs: testStartMs + 1000,
      stepMs: 1000,
      nodes: [
        {
          name: p.origin,
          role: 'origin',
          targets: [{ family: 'wcs', labels: { instance: `${p.bareHost}:9100`, [p.promLabel]: p.promLabelValue } }],
        },
      ],
      queries: { 'server:x': `sum(${p.promql})` },
      missing: [],
    },
    layout: {
      name: p.layoutName,
      layout: {
        order: ['cpu', `auto:server:${p.serverFigure}`, 'custom:1'],
        custom: [{ id: 'custom:1', title: p.chartTitle, series: [`server:${p.serverFigure}`], nodes: [p.origin] }],
        hidden: [],
        folded: [],
      },
    },
  };
}

/** Answers, errors and logs as sentences quote them. */
const sentences: readonly string[] = [
  `${p.runName} began.`,
  `rtmp://jane:${s.addressPassword}@${p.ipv4}:1935/live/${p.streamKeyInPath} is silent.`,
  `${p.origin}: http://${p.host}:8081/${p.streamKeyInPath} returned "${p.serverAnswer}" instead of JSON; check the address.`,
  `${p.origin}: the response is invalid: {"error":"${p.jsonAnswer}","password":"${s.knownPassword}"}`,
  `${p.origin} returned HTTP 502: <html><h1>${p.htmlAnswer}</h1></html>`,
  `The agent on ${p.tester} ended with code 3: ${p.logLine} (${p.uuid})`,
  `Hook at end: /opt/${p.hookProgram} failed: it ended with code 1: login ${s.knownPassword} of ${p.email} was refused.`,
  `Hook at end: POST to ${p.bareHost} failed: it responded with HTTP 500.`,
  `The server lists ${p.awsKey} with ${p.awsSecret} and ${p.githubToken}.`,
  `${p.tester}: link ${p.mac} (${p.macCisco}) is down; share ${p.unc} can't be read.`,
  `Pay ${p.iban} or ${p.card}; call ${p.phone} at ${p.coordinates}.`,
  `${p.arn} is not permitted: account ${p.account}.`,
  `dial tcp: lookup ${p.bareHost}: no such host`,
  `ssh ${p.user}@${p.jumpHost}: Permission denied (publickey), see /home/${p.homeUser}/.ssh/${p.keyFile}.`,
  `$secret:${p.secretName} has no value.`,
  `Bandwidth out ${p.interface} of ${p.tester} was 940 Mbit/s.`,
];

const events: ReadonlyArray<Omit<RunEvent, 'id'>> = [
  ...sentences.map((sentence, place) => ({
    timeMs: testStartMs + place * 1000,
    kind: 'node' as const,
    mark: 'none' as const,
    node: p.origin,
    who: p.origin,
    sentence,
    outcome: 'reason 1',
  })),
  { timeMs: testStartMs + 20_000, kind: 'note', mark: 'note', who: 'you', sentence: p.eventNote },
  {
    timeMs: testStartMs + 21_000,
    kind: 'player',
    mark: 'none',
    who: 'player',
    sentence: `Spot check of ${p.stream}: smooth`,
    spotCheck: { stream: p.stream, rating: 'smooth', measured: 'smooth', seconds: 5, freezes: 0, frozenMs: 0 },
  },
];

function viewer(number: number): ViewerRow {
  return {
    tester: p.tester,
    job: 'pull-1',
    viewer: number,
    state: 'failed',
    ...{ packets: 0, bytes: 0, lost: 0, lossPercent: 0, frames: 0, stalls: 0, stalledMs: 0, degraded: false },
    failure: {
      stage: 'signalling',
      cause: 'http-403',
      detail: `POST https://${p.host}/whep/${p.stream} returned 403: ${p.serverAnswer}.`,
    },
    detail: {
      timeline: [{ atMs: 0, name: 'arrived' }],
      route: {
        protocol: 'udp',
        local: `${p.ipv4}:40112`,
        localType: 'host',
        remote: `[${p.ipv6}]:8000`,
        remoteType: 'host',
        relay: `${p.bareHost}:3478 (UDP)`,
      },
      streams: [{ kind: 'video', codec: 'H264', payloadType: 102, ssrc: 7, packets: 0 }],
    },
  };
}

/** Saves the run; more than two minutes of samples, so that the file has packed minutes and unpacked samples. */
export function savePlantedRun(library: RunLibrary, changes: Partial<RunView> = {}): void {
  const view = { ...plantedView(), ...changes };
  const writer = library.create(
    { ...view, state: 'running', endedMs: undefined, verdict: undefined },
    { version: '0.1.0' },
  );
  for (let second = 0; second < 130; second += 1) {
    const wave = Math.sin(second / 9) * 20;
    writer.append([
      testSample(second, p.origin, 'cpuPercent', 50 + wave),
      testSample(second, p.origin, `server:${p.serverFigure}`, second),
      testSample(second, p.origin, 'originOutMbps', 100 + wave),
      testSample(second, p.tester, `networkOutMbps:${p.interface}`, 900 + wave),
      testSample(second, p.tester, 'viewersConnected', second * 7),
      testSample(second, p.tester, 'cpuPercent', 30 - wave),
      testSample(second, p.group, 'viewersConnected', second * 3),
      testSample(second, audienceId(0), 'viewersConnected', second * 6),
      testSample(second, audienceId(1), 'viewersConnected', second * 4),
      testSample(second, audienceId(0), 'jitterP95Ms', 4 + wave / 10),
      testSample(second, audienceId(1), 'jitterP95Ms', 9 + wave / 10),
      testSample(second, 'player', 'playerFrameRate', 25),
    ]);
    writer.histograms(
      [1, 2].map((audience) => ({
        timeMs: testStartMs - (testStartMs % 1000) + second * 1000,
        audience,
        distribution: 'jitterMs' as const,
        histogram: Histogram.of([second, second + audience]),
      })),
    );
  }
  for (const event of events) writer.event(event);
  writer.setViewers([viewer(7), viewer(8)]);
  writer.still({
    timeMs: testStartMs + 3000,
    cause: 'saved',
    mime: 'image/png',
    data: new TextEncoder().encode(p.picture),
  });
  writer.finish(view);
  library.keep(plantedRunId, { addTags: [p.tag], note: p.runNote });
}
