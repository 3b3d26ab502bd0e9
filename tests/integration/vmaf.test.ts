import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { vmafFolder } from '../../scripts/setup/vmaf.mjs';
import { i420Bytes, vmafLimits } from '../../src/domain/model/vmaf';
import { VmafMeasurements } from '../../src/engine/vmaf/vmafMeasurements';
import { vmafFiles } from '../../src/engine/vmaf/vmafProgram';
import { similarity } from '../../src/renderer/player/picture/similarity';
import type { Plane } from '../../src/renderer/player/picture/plane';
import { blurred, texture } from '../support/planes';
import { cleanUp, engineInTemporaryFolder, planOf, temporaryFolder, waitForRun } from './support';

/**
 * VMAF by a real ffmpeg with libvmaf (`scripts/setup/vmaf.mjs`). Its command `vmaf` is in no package registry: a script
 * stands in for it, which passes its documented options on to this ffmpeg.
 */
const width = 160;
const height = 96;
const frames = 12;
const picture = texture(width + frames, height);

/** As if the camera moved by a sample per frame. */
function part(plane: Plane, left: number): Plane {
  const bytes = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    bytes.set(plane.bytes.subarray(y * plane.stride + left, y * plane.stride + left + width), y * width);
  return { bytes, offset: 0, stride: width, width, height };
}

function i420({ bytes }: Plane): Uint8Array {
  const whole = new Uint8Array(i420Bytes(width, height)).fill(128);
  whole.set(bytes);
  return whole;
}

const drawn = Array.from({ length: frames }, (_, frame) => part(picture, frame));

let temporary = '';
beforeEach(() => {
  temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await cleanUp();
});

/** Programs by their shell script, in place of those of the PATH. */
function withPrograms(scripts: Readonly<Record<string, string>>): void {
  const folder = join(temporaryFolder(), 'bin');
  mkdirSync(folder);
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  vi.stubEnv('PATH', folder);
}

const size = { measurement: 'm', width, height };

async function measured(measurements: VmafMeasurements, played: readonly Plane[]) {
  await measurements.open(size);
  for (const [index, plane] of played.entries())
    await measurements.addFrame({ measurement: 'm', played: i420(plane), reference: i420(drawn[index] ?? plane) });
  return measurements.measure('m');
}

/** Folders of measurements. */
const folders = (): string[] =>
  readdirSync(temporary).filter((name) => existsSync(join(temporary, name, vmafFiles.played)));

/** Frames and log of a measurement are removed. */
function expectNothingLeft(): void {
  expect(folders()).toEqual([]);
}

describe('VMAF by a real ffmpeg with libvmaf', () => {
  beforeEach(() => vi.stubEnv('PATH', `${vmafFolder}:/bin`));

  it('is high for equal pictures, falls with the damage, and has the PSNR that the player measures', async () => {
    const measurements = new VmafMeasurements();
    const equal = await measured(measurements, drawn);
    expect(equal).toMatchObject({ frames, width, height, model: 'vmaf_v0.6.1', psnrDb: 60, ssim: 1 });
    expect(equal.program).toMatch(/^ffmpeg \S+ \(libvmaf \S+\)$/);
    expect(equal.vmaf.mean).toBeGreaterThan(90);

    const slightly = drawn.map((plane) => blurred(plane, 1));
    const soft = await measured(measurements, slightly);
    expect(soft.vmaf.min).toBeLessThanOrEqual(soft.vmaf.harmonicMean);
    expect(soft.vmaf.harmonicMean).toBeLessThanOrEqual(soft.vmaf.mean);
    expect(soft.vmaf.mean).toBeLessThan(equal.vmaf.mean - 10);
    const own = slightly.map((plane, index) => similarity(plane, drawn[index] ?? plane).psnrDb);
    expect(soft.psnrDb).toBeCloseTo(own.reduce((sum, value) => sum + value, 0) / frames, 3);

    const strongly = await measured(
      measurements,
      drawn.map((plane) => blurred(plane, 3)),
    );
    expect(strongly.vmaf.mean).toBeLessThan(soft.vmaf.mean);
    expectNothingLeft();
  });

  it('is recorded as an event of the run', async () => {
    const engine = engineInTemporaryFolder();
    const { client } = engine;
    await client.call('runs.start', { plan: planOf({ viewers: 1, holdMs: 600_000 }) });
    await waitForRun(engine, (view) => view.figures.connected === 1);
    await client.call('vmaf.open', size);
    for (const plane of drawn)
      await client.call('vmaf.frame', { measurement: 'm', played: i420(plane), reference: i420(plane) });
    await client.call('vmaf.measure', { measurement: 'm' });
    expect(engine.events.filter(({ kind }) => kind === 'player').map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(
        /^VMAF [\d.]+ \(min [\d.]+, harmonic mean [\d.]+\), PSNR 60\.0 dB, SSIM 1\.000: 12 frames of 160 × 96, ffmpeg \S+ \(libvmaf \S+\), vmaf_v0\.6\.1$/,
      ),
    ]);
  });

  it('has one measurement at a time, of frames of its size and a bounded number of them', async () => {
    const measurements = new VmafMeasurements();
    await measurements.open(size);
    await expect(measurements.open({ ...size, measurement: 'other' })).rejects.toThrow('measured already');
    const wrong = new Uint8Array(i420Bytes(width, height) - 1);
    await expect(measurements.addFrame({ measurement: 'm', played: wrong, reference: wrong })).rejects.toThrow(
      'A frame of 160 x 96 has 23040 bytes.',
    );
    await expect(measurements.measure('other')).rejects.toThrow('has ended');
    const frame = new Uint8Array(i420Bytes(width, height));
    for (let count = 0; count < vmafLimits.frames; count += 1)
      await measurements.addFrame({ measurement: 'm', played: frame, reference: frame });
    await expect(measurements.addFrame({ measurement: 'm', played: frame, reference: frame })).rejects.toThrow(
      'over 150 frames at most',
    );
    await measurements.cancel('m');
    await measurements.cancel('m');
    await expect(measurements.measure('m')).rejects.toThrow('has ended');
    expectNothingLeft();
  });

  it('can be cancelled while it opens, and another one started at once', async () => {
    const measurements = new VmafMeasurements();
    const opening = measurements.open(size);
    await measurements.cancel('m');
    await measurements.open({ ...size, measurement: 'n' });
    await opening;
    await measurements.cancel('n');
    expectNothingLeft();
  });

  it('ends with the window', async () => {
    const engine = engineInTemporaryFolder();
    let post: (message: unknown) => void = () => undefined;
    const end = engine.serve(
      {
        send: () => undefined,
        onMessage: (listener) => {
          post = listener;
        },
      },
      'window',
    );
    post({ kind: 'call', id: 1, name: 'vmaf.open', input: size });
    await vi.waitFor(() => expect(folders()).toHaveLength(1));
    end();
    await vi.waitFor(expectNothingLeft);
  });
});

it('uses vmaf where ffmpeg has no libvmaf', async () => {
  withPrograms({
    ffmpeg: 'echo " TS. psnr  VV->V  PSNR"',
    vmaf: `
[ "$1" = --version ] && exit 0
[ "$1 $3 $5 $7 $8 $9 \${10}" = "--reference --distorted --output --json --quiet --model version=vmaf_v0.6.1" ] || exit 9
exec ${vmafFolder}/ffmpeg -nostdin -loglevel error -i "$4" -i "$2" -lavfi "[0:v][1:v]libvmaf=log_fmt=json:log_path=$6:feature=name=psnr|name=float_ssim" -f null -`,
  });
  const result = await measured(new VmafMeasurements(), drawn);
  expect(result).toMatchObject({ frames, psnrDb: 60 });
  expect(result.program).toMatch(/^vmaf \S+$/);
  expectNothingLeft();
});

describe('without VMAF', () => {
  it('the sentence names what to install', async () => {
    withPrograms({});
    await expect(new VmafMeasurements().open(size)).rejects.toThrow(
      'This machine has no program for VMAF (ffmpeg: the program does not exist; vmaf: the program does not exist). Install an ffmpeg built with libvmaf, or the program vmaf of libvmaf, and make it available on the PATH.',
    );
    withPrograms({ ffmpeg: 'echo " TS. psnr  VV->V  PSNR"' });
    await expect(new VmafMeasurements().open(size)).rejects.toThrow('(ffmpeg has no libvmaf; vmaf: the program');
    expectNothingLeft();
  });

  const filters = `case "$*" in *-filters) echo " .. libvmaf  VV->V  VMAF"; exit;; *-version) echo "ffmpeg version 7.1 Copyright"; exit;; esac`;

  it('a failure of the program is reported in its words', async () => {
    withPrograms({ ffmpeg: `${filters}\necho "could not load libvmaf model" >&2; exit 3` });
    await expect(measured(new VmafMeasurements(), drawn)).rejects.toThrow(
      'ffmpeg on this machine could not compute VMAF: it ended with 3: could not load libvmaf model.',
    );
    withPrograms({ ffmpeg: `${filters}\necho "{}" > vmaf.json` });
    await expect(measured(new VmafMeasurements(), drawn)).rejects.toThrow(
      'ffmpeg wrote no complete VMAF log (0 of 12 frames): install a current version of libvmaf.',
    );
    const mean = { mean: 1, min: 1, harmonic_mean: 1 };
    const ofOne = {
      version: '3',
      frames: [{ frameNum: 0 }],
      pooled_metrics: { vmaf: mean, psnr_y: mean, float_ssim: mean },
    };
    withPrograms({ ffmpeg: `${filters}\necho '${JSON.stringify(ofOne)}' > vmaf.json` });
    await expect(measured(new VmafMeasurements(), drawn)).rejects.toThrow('(1 of 12 frames)');
    expectNothingLeft();
  });

  it('a program that takes too long is ended', async () => {
    withPrograms({ ffmpeg: `${filters}\nexec /bin/sleep 60` });
    await expect(measured(new VmafMeasurements(300), drawn)).rejects.toThrow(
      'ffmpeg on this machine could not compute VMAF: it took longer than 0.30 s.',
    );
    expectNothingLeft();
  });

  it('can be cancelled while the program runs, and started again', async () => {
    withPrograms({ ffmpeg: `${filters}\necho started > started\nexec /bin/sleep 60` });
    const measurements = new VmafMeasurements();
    const result = measured(measurements, drawn).catch((error: Error) => error.message);
    await vi.waitFor(() => expect(readdirSync(join(temporary, folders()[0] ?? ''))).toContain('started'));
    await measurements.cancel('m');
    expect(await result).toBe('The VMAF measurement was cancelled.');
    await measurements.open(size);
    await measurements.cancel('m');
    expectNothingLeft();
  });
});
