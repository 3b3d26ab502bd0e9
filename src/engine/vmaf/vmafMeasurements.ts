import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import type { CallInput } from '../../contract/engine';
import type { VmafResult } from '../../contract/vmafCalls';
import { i420Bytes, vmafLimits } from '../../domain/model/vmaf';
import { runProgram } from '../base/program';
import { privateTempFolder, type TempFolder } from '../base/tempFolder';
import { readVmafLog } from './vmafLog';
import { findVmafProgram, vmafFiles, vmafModel, type VmafProgram } from './vmafProgram';
import { Y4mFile } from './y4m';

/** The largest measurement takes about 15 s of one core. */
const maxRunMs = 120_000;

interface Measurement {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly program: VmafProgram;
  readonly folder: TempFolder;
  readonly played: Y4mFile;
  readonly reference: Y4mFile;
  readonly cancelled: AbortController;
  frames: number;
  /** Frames are written one after the other. */
  written: Promise<void>;
}

/** VMAF measurements of windows, one at a time: frames in a private temporary folder, compared by a program. */
export class VmafMeasurements {
  private current: Measurement | undefined;
  /** An id that is being opened. */
  private opening: string | undefined;
  private opened: Promise<void> = Promise.resolve();

  constructor(private readonly limitMs = maxRunMs) {}

  async open(order: CallInput<'vmaf.open'>): Promise<void> {
    if (this.current || this.opening !== undefined)
      throw new FullhouseError('in-use', 'VMAF is being measured already; wait for the result, or cancel it.');
    this.opened = this.create(order);
    return this.opened;
  }

  private async create({ measurement: id, width, height }: CallInput<'vmaf.open'>): Promise<void> {
    this.opening = id;
    try {
      const program = await findVmafProgram();
      const folder = privateTempFolder();
      try {
        const [played, reference] = await Promise.all(
          [vmafFiles.played, vmafFiles.reference].map((name) => Y4mFile.create(join(folder.path, name), width, height)),
        );
        if (!played || !reference) throw new Error('Two files were to be created.');
        const rest = { cancelled: new AbortController(), frames: 0, written: Promise.resolve() };
        this.current = { ...{ id, width, height, program, folder, played, reference }, ...rest };
      } catch (error) {
        folder.remove();
        throw writeFault(folder.path, error);
      }
      // Cancelled meanwhile.
      if (this.opening !== id) await this.cancel(id);
    } finally {
      this.opening = undefined;
    }
  }

  async addFrame({ measurement, played, reference }: CallInput<'vmaf.frame'>): Promise<void> {
    const current = this.find(measurement);
    const bytes = i420Bytes(current.width, current.height);
    if (played.length !== bytes || reference.length !== bytes)
      throw new FullhouseError('bad-input', `A frame of ${current.width} x ${current.height} has ${bytes} bytes.`);
    if (current.frames >= vmafLimits.frames)
      throw new FullhouseError('bad-input', `VMAF is measured over ${vmafLimits.frames} frames at most.`);
    current.frames += 1;
    current.written = current.written.then(async () => {
      await current.played.add(played);
      await current.reference.add(reference);
    });
    try {
      await current.written;
    } catch (error) {
      await this.end(current);
      throw writeFault(current.folder.path, error);
    }
  }

  /** Ends the measurement in every case. */
  async measure(id: string): Promise<VmafResult> {
    const current = this.find(id);
    const { width, height, program, folder, cancelled, frames } = current;
    try {
      if (frames === 0) throw new FullhouseError('bad-input', 'VMAF needs at least one frame.');
      await Promise.all([current.played.close(), current.reference.close()]);
      const options = {
        variables: {},
        isTool: true,
        timeoutMs: this.limitMs,
        cwd: folder.path,
        signal: cancelled.signal,
      };
      await runProgram(program.command, options).catch((error: Error) => {
        if (cancelled.signal.aborted) throw new FullhouseError('cancelled', 'The VMAF measurement was cancelled.');
        const sentence = `${program.command[0]} on this machine could not compute VMAF: ${error.message}`;
        throw new FullhouseError('vmaf', sentence);
      });
      const scores = readVmafLog(await readFile(join(folder.path, vmafFiles.log), 'utf8'));
      if (scores?.frames !== frames)
        throw new FullhouseError(
          'vmaf',
          `${program.command[0]} wrote no complete VMAF log (${scores?.frames ?? 0} of ${frames} frames): install a current version of libvmaf.`,
        );
      const { version, vmaf, psnrDb, ssim } = scores;
      return { program: program.name(version), model: vmafModel, ...{ frames, width, height, vmaf, psnrDb, ssim } };
    } finally {
      await this.end(current);
    }
  }

  /** Ends a measurement, whatever it does at the moment. */
  async cancel(id: string): Promise<void> {
    if (this.opening === id) {
      this.opening = '';
      // Its failure is that of the call that opens it.
      await this.opened.catch(() => undefined);
    }
    if (this.current?.id === id) await this.end(this.current);
  }

  private find(id: string): Measurement {
    if (this.current?.id === id) return this.current;
    throw new FullhouseError('no-measurement', 'This VMAF measurement has ended; start it again.');
  }

  private async end(measurement: Measurement): Promise<void> {
    if (this.current === measurement) this.current = undefined;
    measurement.cancelled.abort();
    // A file that is closed already, or could not be written.
    await Promise.allSettled([measurement.written, measurement.played.close(), measurement.reference.close()]);
    measurement.folder.remove();
  }
}

function writeFault(folder: string, error: unknown): FullhouseError {
  return new FullhouseError(
    'not-written',
    `The frames could not be written to ${folder} on this machine: ${(error as Error).message}. Free some space there, or set TMPDIR to another folder.`,
  );
}
