import { parseArgs } from 'node:util';
import { ensureReady } from './setup.mjs';
import { SetupProblem, runScript } from './setup/problem.mjs';
import { startDisplay } from './testing/display.mjs';
import { codecDeviations, deviations } from '../tests/bench/accuracy/rows.mjs';
import { digits } from '../tests/bench/audience/report/spread.mjs';

const warmStartRows = (
  { usableMs, windowShownMs, emptyWindowMs, loadedMs, electronReadyMs, appReadyMs, pageLoadedMs },
  of = '',
) => [
  row(`${of}warm start until the app's code is loaded`, loadedMs.median, 'ms'),
  row(`${of}warm start until Electron is ready`, electronReadyMs.median, 'ms'),
  row(`${of}warm start until engine and window are started`, appReadyMs.median, 'ms'),
  row(`${of}warm start until the page is loaded`, pageLoadedMs.median, 'ms'),
  row(`${of}warm start until usable, median`, usableMs.median, 'ms', { most: 900 }),
  row(`${of}warm start until usable, worst`, usableMs.worst, 'ms'),
  row(`${of}warm start until the window shows`, windowShownMs.median, 'ms'),
  row('an empty window of Electron, median', emptyWindowMs, 'ms'),
];

/** The benchmarks, in order. Each returns rows: name, figure, and the target if any. */
const benches = {
  start: {
    run: async (options) => {
      const { runStartBench } = await import('../tests/bench/start/bench.mjs');
      return runStartBench(options);
    },
    rows: (result) => warmStartRows(result),
  },
  packaged: {
    // Needs a packaged app: npm run package -- --dir.
    onRequest: true,
    run: async (options) => {
      const { packagedCommand, runStartBench } = await import('../tests/bench/start/bench.mjs');
      return runStartBench({ ...options, cold: true, command: packagedCommand() });
    },
    rows: (result) => [
      ...warmStartRows(result, 'packaged app: '),
      row('packaged app: cold start until usable, median', result.coldMs.median, 'ms', { most: 2500 }),
      row('packaged app: cold start until usable, worst', result.coldMs.worst, 'ms'),
    ],
  },
  clock: {
    // Encodes and decodes for minutes: --runs is in thousands of frames.
    onRequest: true,
    run: async (options) => {
      const { runClockBench } = await import('../tests/bench/clock/bench.mjs');
      return runClockBench(options);
    },
    rows: ({ rows }) =>
      rows.flatMap(({ codec, picture, frames, unreadable, wrong }) => [
        row(`clock in ${codec}, ${picture}: frames that were not read`, (100 * unreadable) / frames, '%'),
        row(`clock in ${codec}, ${picture}: frames that were misread, of ${frames}`, wrong, '', { most: 0 }),
      ]),
  },
  renderer: {
    run: async (options) => {
      const { runRendererBench } = await import('../tests/bench/renderer/bench.mjs');
      return runRendererBench(options);
    },
    rows: (result) => [
      row('main thread busy, 16 nodes, 12 charts, an hour', result.live.busyPercent, '%', { most: 6 }),
      row('longest task', result.live.longestTaskMs, 'ms', { most: 50 }),
      row('heap', result.live.heapMb, 'MB', { most: 150 }),
      row('longest task while zooming', result.zoom.longestTaskMs, 'ms'),
      row('24 charts of 40 series, an hour: main thread busy', result.wide.busyPercent, '%', { most: 6 }),
      row('24 charts of 40 series: longest task, processor time', result.wide.longestTaskOfProcessorMs, 'ms', {
        most: 50,
      }),
      row('24 charts of 40 series: longest task, wall-clock', result.wide.longestTaskMs, 'ms'),
      row('unmodified chart.js on the same data: busy', result.naive.busyPercent, '%'),
      row('unmodified chart.js on the same data: longest task', result.naive.longestTaskMs, 'ms'),
    ],
  },
  week: {
    onRequest: true,
    run: async (options) => {
      const { runWeekBench } = await import('../tests/bench/week/bench.mjs');
      return runWeekBench(options);
    },
    rows: ({ record, bytes, reads, thinMs, rssMb }) => [
      row('a watched week of 20 nodes with 40 series', bytes / 1e6, 'MB', { most: 1000 }),
      ...Object.entries({ hour: 'an hour', sixHours: '6 hours', day: 'a day', week: 'the week' }).flatMap(
        ([name, words]) => [
          row(`read ${words} for 10 series of all nodes`, reads[name].firstMs, 'ms', { most: 300 }),
          row(`read ${words} again`, reads[name].againMs, 'ms'),
        ],
      ),
      row('make a day thinner', thinMs / 1000, 's'),
      row('memory of the process that read it', rssMb, 'MB'),
      row('engine while recording, more than without, of a core', record.busyPercent, '%', { most: 6 }),
      row('memory of the engine after a minute, more than before', record.grownMb, 'MB'),
    ],
  },
  streams: {
    run: async (options) => {
      const { runStreamsBench } = await import('../tests/bench/streams/bench.mjs');
      return runStreamsBench(options);
    },
    rows: ({ idle, scroll, paging, heapMb, elements }) => [
      row('5,000 streams changing each second: busy', idle.busyPercent, '%'),
      row('longest task, processor time', idle.longestTask.ofProcessorMs, 'ms', { most: 50 }),
      row('the same while scrolling through all', scroll.longestTask.ofProcessorMs, 'ms', { most: 50 }),
      row('the same, wall-clock', scroll.longestTask.onClockMs, 'ms'),
      row('frame while scrolling, median', scroll.frameMs.medianMs, 'ms'),
      row('frame while scrolling, 95th percentile', scroll.frameMs.p95Ms, 'ms'),
      row('frame while scrolling, longest', scroll.frameMs.longestMs, 'ms'),
      row('frames with a row not yet rendered, of all', scroll.framesWithBlankRows, `of ${scroll.frames}`),
      row('frame while paging by keys, 95th percentile', paging.frameMs.p95Ms, 'ms'),
      row('elements in the page', elements, ''),
      row('heap', heapMb, 'MB'),
    ],
  },
  watch: {
    run: async (options) => {
      const { runWatchBench } = await import('../tests/bench/watch/bench.mjs');
      return runWatchBench(options);
    },
    rows: (results) =>
      results.flatMap(({ nodes, busy, perTile, longestMs, heapMb }) => [
        ...Object.entries(busy).map(([view, percent]) => row(`watching ${nodes} nodes, ${view}: busy`, percent, '%')),
        row(`${nodes} nodes: changes of the page for each tile, a second`, perTile, ''),
        row(`${nodes} nodes as tiles: longest task, processor time`, longestMs, 'ms', { most: 50 }),
        row(`${nodes} nodes: heap`, heapMb, 'MB'),
      ]),
  },
  window: {
    // `--only hidden`, `watching` or `run` for one of its parts.
    run: async (options) => {
      const { runWindowBench } = await import('../tests/bench/window/bench.mjs');
      return runWindowBench(options);
    },
    rows: (results) =>
      Object.entries({
        hidden: ['hidden window, 16 nodes', 1],
        watching: ['window watching 16 nodes', 3],
        run: ['window in a run, beside decoding', 6],
      }).flatMap(([part, [words, most]]) => {
        const cost = results[part];
        if (!cost) return [];
        return [
          row(`${words}: of two cores`, cost.windowPercent - (part === 'run' ? cost.decodingPercent : 0), '%', {
            most,
          }),
          row('  with the engine and its writers', cost.totalPercent, '%'),
          ...(part === 'run' ? [row('  decoding and showing the video', cost.decodingPercent, '%')] : []),
          ...Object.entries(cost.kinds)
            .filter(([, percent]) => percent >= 0.05)
            .map(([kind, percent]) => row(`  of these ${kind}`, percent, '%')),
        ];
      }),
  },
  player: {
    run: async (options) => {
      const { runPlayerBench } = await import('../tests/bench/player/bench.mjs');
      return runPlayerBench(options);
    },
    rows: ({ barePercent, playerMorePercent, clockMorePercent, pictureMorePercent, ssim }) => [
      row('test pattern published and played in a bare video element', barePercent.median, '%'),
      row('control player with all figures, more than that', playerMorePercent.median, '%', { most: 10 }),
      row('the same, largest of all rounds', playerMorePercent.most, '%'),
      row('clock reading alone at 30 fps, more than that', clockMorePercent.median, '%', { most: 5 }),
      row('picture analysis alone, once a second', pictureMorePercent.median, '%', { most: 2 }),
      row('SSIM of the played picture, lowest', ssim, '', { least: 0.9 }),
    ],
  },
  freezes: {
    // `--runs N`: other than 20 freezes.
    run: async (options) => {
      const { runFreezesBench } = await import('../tests/bench/freezes/bench.mjs');
      return runFreezesBench(options);
    },
    rows: (freezes) => [
      ...['player', 'browsers', 'audience'].flatMap((by) => {
        const reportedMs = freezes.map((each) => each[by]).filter((ms) => ms !== null);
        return [
          row(`freezes reported by ${by}, of ${freezes.length}`, reportedMs.length, '', { least: freezes.length }),
          row('after the start of the freeze, latest', Math.max(...reportedMs), 'ms'),
        ];
      }),
      row(
        'between the first and the last to report it, longest',
        Math.max(...freezes.map((each) => Math.max(...Object.values(each)) - Math.min(...Object.values(each)))),
        'ms',
      ),
    ],
  },
  fleet: {
    run: async (options) => {
      const { runFleetBench } = await import('../tests/bench/fleet/bench.mjs');
      return runFleetBench(options);
    },
    rows: (result) => [
      row('engine, 16 nodes at 1 Hz: CPU of one core', result.cpuPercent, '%', { most: 15 }),
      row('engine, 16 nodes at 1 Hz: peak memory', result.rssMbMax, 'MB', { most: 250 }),
      row('samples of each live server, minimum', result.serverSamplesPerSecondLeast, '/s', { least: 0.95 }),
      row('samples of each live host, minimum', result.hostSamplesPerSecondLeast, '/s', { least: 0.95 }),
      row('longest gap of any live node', result.longestGapMs, 'ms', { most: 2500 }),
      row('longest task of the engine', result.longestTaskMs, 'ms'),
      row('data sent to the window', result.messagesKbPerSecond, 'kB/s'),
    ],
  },
  group: {
    run: async (options) => {
      const { runGroupBench } = await import('../tests/bench/group/bench.mjs');
      return runGroupBench(options);
    },
    rows: ({ real, simulated }) => [
      row('engine, a group of 50 agents at 1 Hz: CPU of one core', real.cpuPercent, '%', { most: 15 }),
      row('engine, a group of 50 agents at 1 Hz: peak memory', real.rssMbMax, 'MB', { most: 300 }),
      row('samples of the group', real.samplesPerSecond, '/s', { least: 0.95 }),
      row('longest task of the engine', real.longestTaskMs, 'ms'),
      row('a group of 200 simulated agents, 100,000 viewers: CPU of one core', simulated.cpuPercent, '%'),
      row('the same: peak memory', simulated.rssMbMax, 'MB'),
      row('the same: samples of the group', simulated.samplesPerSecond, '/s', { least: 0.95 }),
    ],
  },
  stalls: {
    run: async (options) => {
      const { runStallsBench } = await import('../tests/bench/stalls/bench.mjs');
      return runStallsBench(options);
    },
    rows: ({ browser, agent }) => [
      row('stalls of hls.js on a throttled HLS stream', browser.stalls, ''),
      row("stalls of the agent's viewer", agent.stalls, '', { least: browser.stalls, most: browser.stalls }),
      row('total time stalled, hls.js', browser.stalledMs, 'ms'),
      row('total time stalled, agent', agent.stalledMs, 'ms', {
        least: 0.9 * browser.stalledMs,
        most: 1.1 * browser.stalledMs,
      }),
    ],
  },
  audience: {
    run: async (options) => {
      const { runAudienceBench } = await import('../tests/bench/audience/bench.mjs');
      return runAudienceBench(options);
    },
    rows: (result) => [
      row('viewers connected, of 1,000', result.viewers.connectedPeak, '', { least: 1000 }),
      row('time until all are connected', result.viewers.timeToAllMs, 'ms', { most: 10_000 }),
      row('peak degraded', result.degraded.percentMax, '%', { most: 1 }),
      ...result.agents.flatMap(({ node, cpuPercentAvg, rssMbMax }) => [
        row(`agent ${node}: CPU of one core, average`, cpuPercentAvg, '%', { most: 100 }),
        row(`agent ${node}: peak memory`, rssMbMax, 'MB'),
      ]),
      row('media received', result.bitrateMbps, 'Mbit/s'),
      row('packets received', result.packetsPerSecond, '/s'),
    ],
  },
  limit: {
    // Takes a quarter of an hour: only if requested by name.
    onRequest: true,
    run: async (options) => {
      const { runLimitBench } = await import('../tests/bench/limit/bench.mjs');
      return runLimitBench(options);
    },
    rows: ({ inside, runs, rows }) => [
      row(`artificial limits inside the interval found, of ${runs}`, inside, '', {
        least: Math.ceil(0.95 * runs),
      }),
      row('longest search', Math.max(...rows.map(({ tookMs }) => tookMs)) / 1000, 's'),
    ],
  },
  outages: {
    // Takes half an hour: only if requested by name.
    onRequest: true,
    run: async (options) => {
      const { runOutagesBench } = await import('../tests/bench/outages/bench.mjs');
      return runOutagesBench(options);
    },
    rows: ({ faults, publications, publisherOutages, truth, matched, found }) => [
      row('faults of the server, one a minute', faults, ''),
      row(`outages of ${truth} in the verdict, to 1 s`, matched, '', { least: truth }),
      row('outages in the verdict', found, ''),
      row(`publications ended, of ${publications} in the verdict`, publisherOutages, '', { least: publications }),
    ],
  },
  estimate: {
    // Takes ten minutes: only if requested by name.
    onRequest: true,
    run: async (options) => {
      const { estimateTable, runEstimateBench } = await import('../tests/bench/estimate/bench.mjs');
      const result = await runEstimateBench(options);
      options.log(estimateTable(result));
      return result;
    },
    rows: ({ rows }) =>
      rows
        .filter(({ offPercent }) => offPercent !== undefined)
        .map(({ what, truth, seen, offPercent }) =>
          // The host's CPU includes all other load of the machine.
          row(`${what}, ${truth} viewers: error of the estimate from ${seen}`, Math.abs(offPercent), '%', {
            most: what === 'Host CPU' ? undefined : 20,
          }),
        ),
  },
  busy: {
    // Takes three quarters of an hour: only if requested by name. `--runs N` shortens it.
    onRequest: true,
    run: async (options) => {
      const { runBusyBench } = await import('../tests/bench/busy/bench.mjs');
      const { busyTable } = await import('../tests/bench/busy/table.mjs');
      const result = await runBusyBench(options);
      options.log(busyTable(result));
      return result;
    },
    rows: ({ rows }) => [
      row('runs of the lab beside other programs', rows.length, ''),
      row('of these inconclusive', rows.filter(({ verdict }) => verdict === 'inconclusive').length, ''),
      row('of these failed, blaming the origin', rows.filter(({ verdict }) => verdict === 'fail').length, '', {
        most: 0,
      }),
    ],
  },
  runs: {
    run: async (options) => {
      const { runRunsBench } = await import('../tests/bench/runs/bench.mjs');
      return runRunsBench(options);
    },
    rows: (result) => [
      row('18 million samples: file', result.fileMb, 'MB', { most: 200 }),
      row('from the click to charts', result.openMs, 'ms', { most: 2000 }),
      row('zoom and pan: longest task, processor time', result.tasks.ofProcessorMs, 'ms', { most: 50 }),
      row('the same, wall-clock', result.tasks.onClockMs, 'ms'),
      row('zoom and pan: frame, median', result.frameMs.medianMs, 'ms'),
      row('zoom and pan: frame, 95th percentile', result.frameMs.p95Ms, 'ms', { most: 50 }),
      row('zoom and pan: frame, longest', result.frameMs.longestMs, 'ms'),
      row('HTML report', result.htmlMs, 'ms', { most: 10_000 }),
      row('HTML report, size', result.htmlMb, 'MB'),
      row('window after it: private memory', result.memoryMb.zoomed.private, 'MB', { most: 300 }),
      row('the same, resident', result.memoryMb.zoomed.resident, 'MB'),
      row('the same before a run was opened, private', result.memoryMb.base.private, 'MB'),
      row('heap', result.heapMb, 'MB'),
      row('load of the machine before and after', Math.max(result.loadBefore, result.loadAfter), ''),
    ],
  },
  protocols: {
    // Takes twenty minutes: only if requested by name. `--only TEXT` limits it to some protocols.
    onRequest: true,
    run: async (options) => {
      const { runProtocolsBench } = await import('../tests/bench/protocols/bench.mjs');
      return runProtocolsBench(options);
    },
    rows: ({ rows }) =>
      rows.map(({ cell, requested, connected }) =>
        row(`${cell}: connected of ${requested}`, connected, '', { least: requested }),
      ),
  },
  networks: {
    // Takes five minutes: only if requested by name.
    onRequest: true,
    run: async (options) => {
      const { runNetworksBench } = await import('../tests/bench/networks/bench.mjs');
      return runNetworksBench(options);
    },
    rows: ({ exact, cost }) => [
      ...exact.map(({ name, measured, asked, unit }) =>
        row(`simulated network, ${name}: as measured`, measured, unit, { least: 0.95 * asked, most: 1.05 * asked }),
      ),
      row('1,000 viewers without a simulated network: CPU of one core', cost.without.cpuPercent.median, '%'),
      row('connected of 1,000 viewers with loss, delay, jitter and rate', cost.with.connected, '', { least: 995 }),
      row('their CPU of one core', cost.with.cpuPercent.median, '%'),
      row('memory without', cost.without.rssMb.median, 'MB'),
      row('memory with', cost.with.rssMb.median, 'MB'),
    ],
  },
  accuracy: {
    run: async (options) => {
      const { runAccuracyBench } = await import('../tests/bench/accuracy/bench.mjs');
      return runAccuracyBench(options);
    },
    rows: (result) =>
      [...deviations(result), ...codecDeviations(result)].map(({ what, value, unit, most }) =>
        row(what, value, unit, { most }),
      ),
  },
};

function row(what, value, unit, { most, least } = {}) {
  const isGood =
    value !== undefined &&
    value !== null &&
    (most === undefined || value <= most) &&
    (least === undefined || value >= least);
  const bound =
    most !== undefined && least !== undefined
      ? `${digits(least)} to ${digits(most)}`
      : most !== undefined
        ? `<= ${digits(most)}`
        : least !== undefined
          ? `>= ${digits(least)}`
          : '';
  return { what, value, unit, bound, isGood };
}

/**
 * `npm run bench`, `npm run bench -- start renderer`, `npm run bench -- --json`, `npm run bench busy -- --runs 30`,
 * `npm run bench protocols -- --only LiveKit`.
 */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, runs: { type: 'string' }, only: { type: 'string' } },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(benches, name));
  if (unknown) throw new SetupProblem(`Unknown benchmark "${unknown}". Available: ${Object.keys(benches).join(', ')}.`);
  const runs = values.runs === undefined ? undefined : Number(values.runs);
  if (runs !== undefined && !(Number.isInteger(runs) && runs > 0))
    throw new SetupProblem(`--runs ${values.runs}: expected a whole number above 0, e.g. --runs 30.`);
  const names = Object.keys(benches).filter((name) =>
    positionals.length === 0 ? !benches[name].onRequest : positionals.includes(name),
  );

  await ensureReady(['packages', 'dependencies', 'electron', 'agent', 'bundles', 'cli']);
  const display = process.platform === 'linux' ? await startDisplay() : undefined;
  if (display) process.env.DISPLAY = display.name;
  const results = {};
  try {
    for (const name of names)
      results[name] = await benches[name].run({
        log: (line) => console.error(line),
        ...(runs === undefined ? {} : { runs }),
        ...(values.only === undefined ? {} : { only: values.only }),
      });
  } finally {
    await display?.stop();
  }

  const rows = names.flatMap((name) => benches[name].rows(results[name]));
  if (values.json) console.log(JSON.stringify({ results, rows }));
  else for (const line of table(rows)) console.log(line);
  return rows.every((each) => each.bound === '' || each.isGood) ? 0 : 1;
});

function table(rows) {
  const shown = ({ value, unit }) =>
    `${typeof value === 'number' ? Math.round(value * 10) / 10 : 'no data'} ${unit}`.trim();
  return rows.map((each) =>
    `${each.what.padEnd(52)} ${shown(each).padStart(16)}  ${each.bound.padEnd(9)} ${each.bound && !each.isGood ? 'missed' : ''}`.trimEnd(),
  );
}
