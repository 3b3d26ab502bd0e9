import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = () => void;

let collect: Collect | undefined;

/**
 * Collects garbage now: a closed SQLite connection keeps its file open, and its memory, until its statements are
 * collected. Readers are started with `--expose-gc`.
 */
export function collectGarbage(): void {
  collect ??= (globalThis as { gc?: Collect }).gc ?? exposed();
  collect();
}

function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
