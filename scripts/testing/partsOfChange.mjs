import { testPlaces } from './testPlaces.mjs';

/** Starts of paths on which every part depends: what prepares, builds and runs the tests. */
const everywhere = [
  'package-lock.json',
  'agent/go.mod',
  'agent/go.sum',
  'vite.cli.config.mts',
  'vite.shared.mjs',
  'vitest.config.mts',
  'scripts/setup',
  'scripts/test.mjs',
  'scripts/testing/',
  'tests/integration/support.ts',
];

/** What all server families share. */
const servers = ['src/engine/servers/adapter.ts', 'src/engine/servers/polledServer.ts', 'src/engine/fleet/originNode'];
const httpServers = [...servers, 'src/engine/links/http/'];

/**
 * What each part depends on beside its own tests, as starts of paths. The gate tests all of the product; a part is
 * added for what it tests more closely, or alone.
 */
export const dependencies = {
  livekit: [
    ...httpServers,
    'src/engine/servers/livekit/',
    'src/engine/preflight/rules/livekit',
    'src/renderer/player/protocols/',
    'agent/internal/livekit/',
    'agent/internal/signalling/',
    'scripts/setup/livekit.mjs',
    'tests/integration/servers/livekit',
    'tests/fixtures/livekit/',
  ],
  wcs: [
    ...httpServers,
    'src/engine/servers/wcs/',
    'src/engine/load/wcs/',
    'src/engine/fleet/wcsTester.ts',
    'src/engine/preflight/rules/wcs',
    'src/renderer/player/protocols/',
    'agent/internal/signalling/',
    'agent/internal/wcs/',
    'tests/standins/wcs/',
  ],
  srs: [
    ...httpServers,
    'src/engine/servers/srs/',
    'src/engine/preflight/rules/srs',
    'tests/fixtures/srs/',
    'tests/standins/srs/',
  ],
  rtmp: [
    ...httpServers,
    'src/engine/servers/nginxRtmp/',
    'src/engine/preflight/rules/nginx',
    'src/engine/servers/rtmpHandshake.ts',
    'src/engine/fleet/mediaRelay.ts',
    'agent/internal/ffmpeg/',
    'agent/internal/flv/',
    'agent/internal/publish/',
    'agent/internal/rtmp/',
    'agent/internal/tcpreader/',
    'tests/fixtures/nginx-rtmp/',
    'tests/integration/servers/nginxRtmp.ts',
  ],
  openvidu: [...httpServers, 'src/engine/servers/openvidu/', 'tests/standins/openvidu/'],
  prometheus: [
    'src/engine/prometheus/',
    'src/engine/servers/metricsEndpoint.ts',
    'src/engine/telemetry/metrics/',
    'src/engine/telemetry/nodeExporterHost.ts',
    'src/engine/telemetry/prometheus',
    'src/engine/links/http/',
    'src/cli/commands/history.ts',
    'src/cli/commands/importPrometheus.ts',
    'src/cli/prometheusOptions.ts',
    'tests/fixtures/node-exporter/',
    'tests/fixtures/prometheus/',
    'tests/integration/servers/nodeExporter.ts',
    'tests/integration/servers/prometheus.ts',
  ],
  ssh: [
    'src/engine/links/',
    'src/engine/fleet/group/',
    'src/engine/fleet/hostKeyStore.ts',
    'src/engine/fleet/probe/',
    'src/engine/fleet/remoteBase.ts',
    'src/engine/fleet/sshTester.ts',
    'src/engine/telemetry/proc',
    'src/engine/telemetry/sshHost.ts',
    'agent/internal/control/',
    'agent/internal/daemon/',
    'tests/integration/fleetSupport.ts',
    'tests/integration/servers/sshd.ts',
    'tests/integration/testerSupport.ts',
  ],
  browsers: [
    'src/domain/browserViewers/',
    'src/engine/base/chromium.ts',
    'src/engine/browsers/',
    'src/engine/delay',
    'src/domain/delay/',
    'src/engine/fidelity/',
    'src/renderer/player/',
    'src/renderer/viewerPage/',
    'agent/internal/lab/',
    'agent/internal/whep/',
    'assets/fidelity/',
    'tests/fixtures/chromium-whep/',
    'vite.viewer.config.mts',
  ],
  vmaf: ['src/engine/vmaf/', 'src/engine/base/ffmpeg.ts', 'src/renderer/player/picture/', 'scripts/setup/vmaf.mjs'],
  iperf3: [
    'src/engine/iperf/',
    'src/engine/fleet/capacityMeasurements.ts',
    'src/engine/links/ssh/',
    'tests/fixtures/iperf3/',
  ],
  gc: [
    'src/engine/fleet/gcLogWatch.ts',
    'src/engine/telemetry/gc',
    'tests/fixtures/jvm/',
    'tests/integration/servers/jvm.ts',
  ],
  accuracy: [
    'agent/internal/audience/',
    'agent/internal/lab/',
    'agent/internal/monotonic/',
    'agent/internal/netshape/',
    'agent/internal/stats/',
    'agent/internal/udpreader/',
    'agent/internal/viewer/',
    'agent/internal/whep/',
  ],
  player: [
    'src/contract/playerCalls.ts',
    'src/contract/publishCalls.ts',
    'src/domain/clock/',
    'src/domain/spotCheck/',
    'src/engine/api/playerHandlers.ts',
    'src/engine/fleet/media',
    'src/engine/fleet/player',
    'src/engine/fleet/windowMedia.ts',
    'src/renderer/features/delay/',
    'src/renderer/features/multiview/',
    'src/renderer/features/spotCheck/',
    'src/renderer/player/',
    'src/renderer/viewerPage/',
    'agent/internal/lab/',
    'agent/internal/media/',
    'agent/internal/publish/',
    'scripts/setup/electron',
    'vite.viewer.config.mts',
  ],
  accessibility: [
    'src/renderer/',
    'src/domain/charts/palette.css',
    'tests/renderer/windowPage.ts',
    'tests/support/contrast.ts',
    'scripts/setup/electron',
  ],
  app: [
    'src/main/',
    'src/preload/',
    'src/engine/utility.ts',
    'src/renderer/app/',
    'src/renderer/client/',
    'src/renderer/features/nodes/',
    'tests/e2e/app.ts',
    'electron.vite.config.ts',
    'scripts/setup/electron',
  ],
  package: [
    '.ci/',
    '.github/',
    'bin/',
    'build/',
    'package.json',
    'scripts/image',
    'scripts/notices',
    'scripts/pack',
    'scripts/sbom',
    'src/cli/commands/ci/',
    'src/cli/commands/comment',
    'src/cli/help/',
    'src/cli/installation.ts',
    'src/main/updates',
    'tests/standins/gh/',
  ],
  saturating: [
    'src/domain/otherLoad/',
    'src/domain/tester/',
    'src/engine/fleet/hostLoadWatch.ts',
    'src/engine/telemetry/local',
    'src/engine/runs/watch/testers.ts',
    'agent/internal/admission/',
    'agent/internal/readerthread/',
    'agent/internal/tester/',
    'tests/integration/limitedTester.ts',
  ],
  headroom: [
    'src/domain/estimate/',
    'src/domain/search/',
    'src/engine/estimate/',
    'src/engine/runs/control/',
    'agent/internal/lab/conditions',
  ],
  // Only what is its own: its programs are built for 10 to 20 minutes.
  kubernetes: [
    'src/domain/kubernetes/',
    'src/engine/kubernetes/',
    'src/engine/fleet/group/kubernetesSource.ts',
    'src/engine/fleet/group/pod',
    'tests/support/cluster/',
    'scripts/setup/kubernetes.mjs',
  ],
};

/** Parts that only their own paths add, since they take far longer than the others. */
const ownPathsOnly = ['kubernetes'];

/** The starts of paths that add a part. */
export function pathsOfPart(part) {
  const tests = Object.keys(testPlaces).filter((start) => testPlaces[start] === part);
  return [...tests, ...dependencies[part], ...(ownPathsOnly.includes(part) ? [] : everywhere)];
}

/**
 * The parts that a change adds to the gate, each with one of the changed paths as the reason.
 * @param {string[]} changed paths in the repository
 * @returns {{ part: string, path: string }[]}
 */
export function partsOfChange(changed) {
  return Object.keys(dependencies).flatMap((part) => {
    const starts = pathsOfPart(part);
    const path = changed.find((each) => starts.some((start) => each.startsWith(start)));
    return path === undefined ? [] : [{ part, path }];
  });
}
