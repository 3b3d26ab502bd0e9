import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { mustRun } from '../../../scripts/setup/command.mjs';
import { inRoot } from '../../../scripts/setup/paths.mjs';
import { startChild, until } from '../audience/programs/children.mjs';
import { publishTestPicture, startNginx } from '../audience/programs/nginx.mjs';
import { cells } from './cells.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const codecs = ['h264', 'h265', 'vp8', 'vp9', 'av1'];
/** How long a server may take to make its first playlist. */
const playlistPatienceMs = 30_000;

/**
 * Every protocol at every server that this machine has, by the command that a user runs: what the agent needs, and the
 * server's own count of viewers beside ours.
 * @param {{ sizes?: readonly number[], only?: string, log?: (line: string) => void }} [options]
 */
export async function runProtocolsBench({ sizes = [1, 100, 1000], only, log = () => undefined } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-protocols-'));
  const ends = [];
  try {
    const files = await mediaFiles(folder, log);
    const { livekit, coturn } = await startServers(ends);
    const nginx = await startNginx(folder);
    ends.push(() => nginx.end());
    const publisher = await publishTestPicture(folder, `rtmp://127.0.0.1:${nginx.port}/live/measured`);
    ends.push(() => publisher.end());
    ends.push(await startDash(folder));
    const http = `http://127.0.0.1:${nginx.httpPort}`;
    await until(async () => (await fetch(`${http}/dash/measured.mpd`)).ok, 'an MPD', playlistPatienceMs);
    await until(
      async () => (await (await fetch(`${http}/hls/measured.m3u8`)).text()).split('#EXTINF').length > 3,
      'three segments',
      playlistPatienceMs,
    );
    const rows = [];
    for (const cell of cells({ livekit, coturn, nginx: { ...nginx, http }, files })) {
      if (only && !cell.name.includes(only)) continue;
      for (const viewers of sizes) {
        const result = await runPlan(folder, cell, viewers);
        const row = { cell: cell.name, requested: viewers, ...figuresOf(result) };
        rows.push(row);
        log(`protocols: ${Object.values(row).join(' | ')}`);
      }
    }
    log(markdownTable(rows));
    return { rows };
  } finally {
    for (const end of ends.reverse()) await end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A loop of each codec, made by `fullhouse sample`, about as large as the built-in sample. */
async function mediaFiles(folder, log) {
  for (const codec of codecs) {
    log(`protocols: a sample of ${codec} ...`);
    const size = ['--size', '426x240', '--kbps', '110'];
    await mustRun('Making a sample', process.execPath, [
      ...[inRoot('bin', 'fullhouse.mjs'), 'sample', '--codec', codec],
      ...[...size, '--out', folder],
    ]);
  }
  const extension = (codec) => (codec.startsWith('h26') ? codec : 'ivf');
  return Object.fromEntries(codecs.map((codec) => [codec, join(folder, `${codec}-426x240-110k.${extension(codec)}`)]));
}

async function startServers(ends) {
  await build({ configFile: here('./vite.config.mts'), logLevel: 'warn' });
  const servers = spawn(process.execPath, [inRoot('out', 'protocols-bench', 'program', 'servers.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  ends.push(async () => {
    const exited = once(servers, 'exit');
    servers.stdin.end();
    if (servers.exitCode === null) await exited;
  });
  const { value, done } = await createInterface({ input: servers.stdout })[Symbol.asyncIterator]().next();
  if (done) throw new Error('LiveKit or coturn did not start; see the output above.');
  return JSON.parse(value);
}

/** MPEG-DASH with segments of 2 s, by ffmpeg from the test picture, in the folder that nginx serves. */
async function startDash(folder) {
  const out = join(folder, 'dash');
  await mustRun('Making a folder', 'mkdir', ['-m', '755', out]);
  const child = startChild(
    'ffmpeg',
    [
      ...'-hide_banner -loglevel error -nostdin -re -stream_loop -1 -i'.split(' '),
      join(folder, 'picture.flv'),
      ...'-c copy -f dash -seg_duration 2 -window_size 10 -extra_window_size 5'.split(' '),
      join(out, 'measured.mpd'),
    ],
    { endsWithInput: false },
  );
  return () => child.end();
}

/** One run of the command line, as by a user. */
async function runPlan(folder, { plan, environment }, viewers) {
  const file = join(folder, 'plan.yaml');
  writeFileSync(file, plan(viewers));
  const command = [inRoot('bin', 'fullhouse.mjs'), 'run', file, '--json', '--out', join(folder, 'runs')];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  await once(child, 'close');
  const last = output.trim().split('\n').at(-1);
  if (!last?.startsWith('{')) throw new Error(`A run of ${viewers} viewers did not start:\n${errors}`);
  return JSON.parse(last);
}

const figuresOf = ({ verdict, reasons, viewers, degraded, bitrateMbps, agents, origin }) => ({
  verdict: verdict === 'pass' ? verdict : `${verdict}: ${reasons.join(' ')}`,
  connected: viewers.connectedPeak,
  // nginx-rtmp counts clients of RTMP only.
  ownCount: origin?.viewersMax || '',
  degradedPercent: degraded.percentMax,
  mbps: bitrateMbps,
  cpuPercent: agents[0]?.cpuPercentAvg,
  memoryMb: agents[0]?.rssMbMax,
});

function markdownTable(rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const shown = (value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value);
  return [
    line([
      'protocol, server, codec',
      'viewers',
      'connected',
      "server's count",
      'degraded',
      'received',
      'agent',
      'verdict',
    ]),
    line(Array(8).fill('---')),
    ...rows.map((row) =>
      line([
        ...[row.cell, row.requested, row.connected, row.ownCount, `${shown(row.degradedPercent)} %`],
        ...[`${shown(row.mbps)} Mbit/s`, `${shown(row.cpuPercent)} %, ${shown(row.memoryMb)} MB`, row.verdict],
      ]),
    ),
  ].join('\n');
}
