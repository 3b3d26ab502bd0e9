import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SetupProblem } from './problem.mjs';
import { cacheFolder } from './paths.mjs';
import { readStamp, writeStamp } from './stamp.mjs';
import { withWheel } from './wheel.mjs';

/** A static ffmpeg with libvmaf inside a Python package: Debian's ffmpeg is built without it. Used by tests only. */
const requirement = 'imageio-ffmpeg==0.8.1';
/** SHA-256 of its wheels: Linux x64, Linux arm64, Windows x64. */
const sha256 = [
  '050d6850601c3b3890bd2b28306f3b842b3daea390a561101174375a1c460bda',
  'fad3176f859b25869e60a8ed79957d4e3ed74a97a95e5f0cdcb91455f6c6d00e',
  'f27ca4cb85e2d4946deedbce1a81245dfd942a2bcf94b53676fb3956aa95bf1b',
];
const folder = join(cacheFolder, 'vmaf');
/** For the PATH of a test: contains this ffmpeg only. */
export const vmafFolder = join(folder, 'bin');
const program = join(vmafFolder, process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg');

export const vmaf = {
  title: 'ffmpeg with libvmaf for the tests (70 MB, once)',
  isReady: () => existsSync(program) && readStamp('vmaf') === requirement,
  async make() {
    await withWheel(
      { what: 'ffmpeg with libvmaf', requirement, sha256, work: join(folder, 'work') },
      async (content) => {
        const binaries = join(content, 'imageio_ffmpeg', 'binaries');
        const name = readdirSync(binaries).find((entry) => entry.startsWith('ffmpeg-'));
        if (!name) throw new SetupProblem(`${requirement} contains no ffmpeg.`);
        mkdirSync(vmafFolder, { recursive: true });
        copyFileSync(join(binaries, name), program);
        chmodSync(program, 0o755);
      },
    );
    writeStamp('vmaf', requirement);
  },
};
