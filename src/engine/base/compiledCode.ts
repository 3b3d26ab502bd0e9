import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import Module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { systemClock, type Clock } from './clock';

/**
 * The programs of the app as V8 compiled them at an earlier start: to compile them takes a third of a start, to read the
 * result takes nearly nothing. A folder for each program, as Chromium keeps those of pages: the same script has other code
 * in a process with other options of V8. What is damaged, or of another version, is not used: the source counts then.
 */

/** Old enough that what a start needs has been compiled, and everything has been drawn. */
const savedAfterMs = 8000;

type Compile = (this: Module, source: string, path: string) => unknown;

/** Runs a program, and the scripts that it loads from beside it. */
export function runCompiled(program: string, folder: string, clock: Clock = systemClock): void {
  const modules = Module.prototype as unknown as { _compile: Compile };
  const usual = modules._compile;
  const made = new Map<string, Script>();
  const isOwn = isOwnFolder(folder);
  const name = `${basename(program, '.js')}.${cachedDataVersionTag().toString(36)}.`;
  const own = join(folder, name + sumOf(readFileSync(program)).toString('hex').slice(0, 16));
  modules._compile = function (source, path) {
    if (!isOwn || !path.startsWith(dirname(program))) return usual.call(this, source, path);
    const file = join(own, `${basename(path, '.js')}.${sumOf(source).toString('hex').slice(0, 24)}`);
    const cachedData = contentOf(file);
    const script = new Script(Module.wrap(source), { filename: path, ...(cachedData && { cachedData }) });
    if (!cachedData || script.cachedDataRejected === true) made.set(file, script);
    const act = script.runInThisContext() as (...args: unknown[]) => unknown;
    const load = Module.createRequire(path);
    return act.call(this.exports, this.exports, load, this, path, dirname(path));
  };
  Module.createRequire(program)(program);
  // Where nothing can be written, each start compiles.
  if (isOwn) clock.after(savedAfterMs, () => void save(folder, own, made).catch(() => undefined), 'background');
}

/** Code is only read from a folder that no other user can write to; a missing one is created so. */
function isOwnFolder(folder: string): boolean {
  try {
    const { uid, mode } = statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return true;
  }
}

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
const sumOf = (content: Buffer | string): Buffer => createHash('sha1').update(content).digest();

async function save(folder: string, own: string, made: ReadonlyMap<string, Script>): Promise<void> {
  if (made.size === 0) return;
  await mkdir(own, { recursive: true, mode: 0o700 });
  for (const [file, script] of made) {
    const code = script.createCachedData();
    // Several readers of one program may save it at once.
    const part = `${file}.${process.pid}`;
    await writeFile(part, Buffer.concat([sumOf(code), code]), { mode: 0o600 });
    await rename(part, file);
  }
  // Of earlier versions of the program.
  const [name = '', tag = ''] = basename(own).split('.');
  for (const other of await readdir(folder))
    if (other.startsWith(`${name}.${tag}.`) && other !== basename(own))
      await rm(join(folder, other), { recursive: true, force: true });
}
