import type { RunId } from '../../domain/model/run';
import type { RunLibrary, RunReader } from './types';

/**
 * Opens a run for the duration of `read`, which may not keep the reader. Throws what `library.open` and `read` throw.
 */
export function readSaved<T>(library: Pick<RunLibrary, 'open'>, run: RunId, read: (reader: RunReader) => T): T {
  const reader = library.open(run);
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}
