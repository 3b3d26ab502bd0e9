/**
 * Where the tests of each project of vitest are, by the start of their path; the longest start that fits decides. So
 * each test file belongs to exactly one project, and a new one in a folder below to that of its folder.
 */
export const testPlaces = {
  'src/': 'unit',
  'scripts/': 'unit',
  'tests/drawing/': 'unit',
  'tests/bench/': 'unit',
  'tests/drills/': 'unit',
  'tests/drills/faults/': 'drills',

  // Most of these wait for servers and links, so several run at the same time.
  'tests/integration/': 'servers',
  // Their viewers load the machine: few files at a time, so that they hardly affect each other.
  'tests/integration/cli.': 'integration',
  'tests/integration/engine.': 'integration',
  'tests/integration/failure.': 'integration',
  'tests/integration/link.': 'integration',
  'tests/integration/player.': 'integration',
  'tests/integration/run.': 'integration',
  'tests/integration/stop.': 'integration',
  'tests/integration/publishAlone.': 'integration',
  'tests/integration/testerGroup.': 'integration',

  // One server family or one external system each.
  'tests/integration/livekit': 'livekit',
  'tests/integration/wcs': 'wcs',
  'tests/integration/srs.': 'srs',
  'tests/integration/nginxRtmp.': 'rtmp',
  'tests/integration/rtmp': 'rtmp',
  'tests/integration/publish.': 'rtmp',
  'tests/integration/openvidu.': 'openvidu',
  'tests/integration/prometheus': 'prometheus',
  'tests/integration/history.': 'prometheus',
  'tests/integration/telemetryMetrics.': 'prometheus',
  'tests/integration/figureSources.': 'prometheus',
  'tests/integration/bareHost.': 'ssh',
  'tests/integration/jumpHosts.': 'ssh',
  'tests/integration/probeBounds.': 'ssh',
  'tests/integration/ssh': 'ssh',
  'tests/integration/telemetrySsh.': 'ssh',
  'tests/integration/testerAgent.': 'ssh',
  'tests/integration/testerFaults.': 'ssh',
  'tests/integration/browserViewers.': 'browsers',
  'tests/integration/delayTest.': 'browsers',
  'tests/integration/fidelityReport.': 'browsers',
  'tests/integration/clockPage.': 'browsers',
  'tests/integration/vmaf.': 'vmaf',
  'tests/integration/iperf3.': 'iperf3',
  'tests/integration/gcLog.': 'gc',

  'tests/integration/accuracy.': 'accuracy',
  // They saturate entire processors: one after the other.
  'tests/integration/testerLimited.': 'saturating',
  'tests/integration/busyMachine.': 'saturating',
  // On a busy machine they would correctly report a limit of it.
  'tests/integration/findLimit.': 'headroom',
  'tests/integration/estimate.': 'headroom',

  'tests/integration/notices.': 'package',
  'tests/integration/offlineBuild.': 'package',
  'tests/package/': 'package',
  'tests/kubernetes/': 'kubernetes',

  'tests/renderer/': 'window',
  // Each screen in each theme, by axe.
  'tests/renderer/accessibility/': 'accessibility',
  // Takes the pictures of README.md, instead of a test.
  'tests/renderer/readmePictures.': 'pictures',
  'tests/e2e/': 'window',
  // They wait for a verdict: alone.
  'tests/e2e/mainJob.': 'e2e',
  'tests/e2e/nodes.': 'app',
  'tests/e2e/testerLimited.': 'app',
  'tests/player/': 'player',
};

/** The project of a test file; undefined for one that no run would find. */
export function projectOfTest(path) {
  const [start] = Object.keys(testPlaces)
    .filter((each) => path.startsWith(each))
    .sort((a, b) => b.length - a.length);
  return start === undefined ? undefined : testPlaces[start];
}

/** `include` and `exclude` of a project of vitest. */
export function patternsOf(project) {
  const starts = Object.keys(testPlaces);
  const own = starts.filter((start) => testPlaces[start] === project);
  const others = starts.filter((start) => testPlaces[start] !== project);
  return {
    include: own.flatMap(patternsUnder),
    // Those of other projects within its own folders.
    exclude: others.filter((other) => own.some((start) => other.startsWith(start))).flatMap(patternsUnder),
  };
}

/** With a folder, all below it; else the files that start so. */
function patternsUnder(start) {
  const name = start.endsWith('/') ? '**/*.test' : start.endsWith('.') ? 'test' : '*.test';
  return ['ts', 'mjs'].map((ending) => `${start}${name}.${ending}`);
}
