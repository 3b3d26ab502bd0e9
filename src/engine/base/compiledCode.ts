import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import Module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { systemClock, type Clock } from './clock';

/**
 * The programs of the app as V8 compiled them at an earlier start: to compile them takes a third of a start, to read the
 * result takes nearly nothing. One file for each script in a folder of the user's, as Chromium keeps those of pages. V8
 * refuses what another version of it made; the source counts then.
 */

/** Old enough that what a start needs has been compiled, and everything has been drawn. */
const savedAfterMs = 8000;

type Compile = (this: Module, source: string, path: string) => unknown;

/** Runs a program, and the scripts that it loads from beside it. Each start of a new version leaves its code in `folder`. */
export function runCompiled(program: string, folder: string, clock: Clock = systemClock): void {
  const modules = Module.prototype as unknown as { _compile: Compile };
  const usual = modules._compile;
  const made = new Map<string, Script>();
  modules._compile = function (source, path) {
    if (!path.startsWith(dirname(program))) return usual.call(this, source, path);
    const file = codeFile(folder, path, source);
    const cachedData = contentOf(file);
    const script = new Script(Module.wrap(source), { filename: path, ...(cachedData && { cachedData }) });
    if (!cachedData || script.cachedDataRejected === true) made.set(file, script);
    const act = script.runInThisContext() as (...args: unknown[]) => unknown;
    const load = Module.createRequire(path);
    return act.call(this.exports, this.exports, load, this, path, dirname(path));
  };
  Module.createRequire(program)(program);
  // Where nothing can be written, each start compiles.
  clock.after(savedAfterMs, () => void save(folder, made).catch(() => undefined), 'background');
}

/** The name says of which source it is. */
const codeFile = (folder: string, path: string, source: string): string =>
  join(folder, `${basename(path, '.js')}.${createHash('sha256').update(source).digest('hex').slice(0, 24)}`);

/** What was saved; undefined if there is nothing, or if it is damaged: V8 itself checks little more than its length. */
function contentOf(file: string): Buffer | undefined {
  try {
    const saved = readFileSync(file);
    const code = saved.subarray(sumBytes);
    return sumOf(code).equals(saved.subarray(0, sumBytes)) ? code : undefined;
  } catch {
    return undefined;
  }
}

const sumBytes = 20;
const sumOf = (code: Buffer): Buffer => createHash('sha1').update(code).digest();

async function save(folder: string, made: ReadonlyMap<string, Script>): Promise<void> {
  if (made.size > 0) await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [file, script] of made) {
    const [name = ''] = basename(file).split('.');
    // Of earlier versions. Chunks have a hash in their name.
    for (const other of await readdir(folder))
      if (other.startsWith(`${name}.`)) await rm(join(folder, other), { force: true });
    const code = script.createCachedData();
    // Several readers of one program may save it at once.
    const part = `${file}.${process.pid}`;
    await writeFile(part, Buffer.concat([sumOf(code), code]), { mode: 0o600 });
    await rename(part, file);
  }
}
