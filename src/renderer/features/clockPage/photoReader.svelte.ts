import { photoDelays, type PhotoReading } from '../../../domain/clock/photoDelays';
import { recordingDelays, type RecordedDelay } from '../../../domain/clock/recordingDelays';
import { errorText } from '../../../domain/text/errorText';
import type { WindowClient } from '../../client/connection';
import { isReadable, isRecording, picturesOf, picturesOfRecording, type Luma } from './pictures';

/** A file that was chosen or dropped. */
export interface PhotoFile {
  readonly id: number;
  readonly name: string;
  /** How many pictures are to be read, and are. */
  readonly pictures: number;
  readonly read: number;
  /** Absent until all of them are. */
  readonly delays?: readonly RecordedDelay[];
  /** Why there are none. */
  readonly problem?: string;
}

/** Reads photos and recordings of clock pages, one after the other. */
export class PhotoReader {
  files = $state.raw<readonly PhotoFile[]>([]);
  readonly #engine: WindowClient;
  #last = 0;
  #queue = Promise.resolve();
  #isStopped = false;

  /** `picturesIn`: of a file, one after the other. */
  constructor(
    engine: WindowClient,
    private readonly picturesIn: (file: File) => AsyncIterable<Luma> = picturesOf,
  ) {
    this.#engine = engine;
  }

  /** Newest first. */
  add(files: Iterable<File>): void {
    for (const file of files) {
      this.#last += 1;
      const row = {
        ...{ id: this.#last, name: file.name, read: 0 },
        pictures: isRecording(file) ? picturesOfRecording : 1,
      };
      this.files = [row, ...this.files];
      this.#queue = this.#queue.then(() => this.#read(row, file));
    }
  }

  /** Ends it after the picture that is being read. */
  stop(): void {
    this.#isStopped = true;
  }

  async #read(row: PhotoFile, file: File): Promise<void> {
    if (this.#isStopped) return;
    const readings: PhotoReading[] = [];
    try {
      if (!isReadable(file)) throw new Error('It is no picture (PNG, JPEG, WebP) and no video.');
      for await (const picture of this.picturesIn(file)) {
        if (this.#isStopped) return;
        const { codes } = await this.#engine.call('clockPage.readPicture', picture);
        readings.push(photoDelays(codes));
        this.#change({ ...row, read: readings.length });
      }
      const delays = recordingDelays(readings);
      const { problem } = readings.at(-1) ?? {};
      this.#change({ ...row, read: readings.length, delays, ...(delays.length > 0 ? {} : { problem }) });
    } catch (error) {
      this.#change({ ...row, read: readings.length, delays: [], problem: errorText(error) });
    }
  }

  #change(row: PhotoFile): void {
    this.files = this.files.map((each) => (each.id === row.id ? row : each));
  }
}
