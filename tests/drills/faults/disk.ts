import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freezableDisk } from '../../support/frozenDisk';
import { startRun } from '../consoles';
import type { Drill } from '../drill';
import { pause, settledMs, type Fault } from '../fault';
import { leftoversOf, portsNow } from '../leftovers';
import { labPlan, viewers } from '../plans';
import { recordedIn } from '../recorded';

/** Runs a command with a small disk mounted at a folder, for this command and its child processes only. */
const withDisk = (folder: string, options: string): string[] => [
  ...['unshare', process.getuid?.() === 0 ? '-m' : '-Urm'],
  ...['sh', '-c', `mount -t tmpfs -o ${options} none "$0" && exec "$@"`, folder],
];

/** Starts a run and spoils its folder once all viewers are connected. */
const spoilt = (name: string, sentence: RegExp, spoil: (folder: string) => void, options?: string): Fault => ({
  ...{ name, sentence, exit: 0 },
  play: async (drill) => {
    const under = options === undefined ? [] : withDisk(drill.out, options);
    const run = startRun(drill, labPlan(), { under });
    await run.prints(`All ${viewers} viewers connected`);
    await pause(settledMs);
    const ports = portsNow(drill);
    // As the console sees it: the disk is mounted for it only.
    spoil(`/proc/${run.pid}/root${drill.out}`);
    const exit = await run.exited;
    return {
      ...{ shown: run.output(), exit },
      recorded: recordedIn(drill, 'audience'),
      leftovers: await leftoversOf(drill, ports),
    };
  },
});

function fill(folder: string): void {
  try {
    writeFileSync(join(folder, 'fill'), Buffer.alloc(64 << 20));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

async function playReadOnly(drill: Drill, under: readonly string[]): ReturnType<Fault['play']> {
  const run = startRun(drill, labPlan(), { under });
  const exit = await run.exited;
  return { shown: run.output(), exit, leftovers: await leftoversOf(drill, new Map()) };
}

/** Longer than an agent waits for its console. */
const frozenMs = 15_000;

async function playFrozen(drill: Drill): ReturnType<Fault['play']> {
  const image = mkdtempSync(join(tmpdir(), 'fullhouse-frozen-'));
  const disk = freezableDisk(image, process.pid, drill.out);
  try {
    const run = startRun(drill, labPlan());
    await run.prints(`All ${viewers} viewers connected`);
    await pause(settledMs);
    const ports = portsNow(drill);
    disk.freeze();
    await pause(frozenMs);
    disk.thaw();
    const exit = await run.exited;
    return {
      ...{ shown: run.output(), exit },
      recorded: recordedIn(drill, 'audience'),
      leftovers: await leftoversOf(drill, ports),
    };
  } finally {
    disk.remove();
    rmSync(image, { recursive: true, force: true });
  }
}

/** A folder of runs that can't be written. */
export const disks: readonly Fault[] = [
  spoilt('disk full', /run: (.*the disk is full.*)/, fill, 'size=12m'),
  spoilt('folder of runs removed', /run: (.*the file or its folder was removed.*)/, (folder) =>
    rmSync(folder, { recursive: true }),
  ),
  {
    name: 'disk does not answer for 15 s',
    sentence: /run: (The disk of .* has not answered.*)/,
    exit: 0,
    play: playFrozen,
  },
  {
    name: 'folder of runs read-only',
    sentence: /(The folder .*read-only.*)/,
    ...{ exit: 2, isRefused: true },
    play: (drill) => playReadOnly(drill, withDisk(drill.out, 'size=20m,ro')),
  },
];
