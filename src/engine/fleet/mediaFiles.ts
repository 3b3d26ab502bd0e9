import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sampleSource } from '../../domain/model/plan';
import { ensureMedia } from '../links/remoteAgent';
import { isRemote, type FleetNode } from './node';

/** Video files with their audio beside them. */
const withOgg = new Set(['.h264', '.h265', '.ivf']);

/**
 * The path of a source on a tester. A file of this machine is uploaded to a tester reached by SSH, once per content; a
 * path that exists only there is used as it is.
 */
export async function sourceOn(node: FleetNode, source: string): Promise<string> {
  if (source === sampleSource || !isRemote(node) || !(await stat(source).catch(() => undefined))?.isFile())
    return source;
  const extension = extname(source);
  const audio = audioBeside(source);
  const files = audio === undefined ? [source] : [source, audio];
  const host = await node.shell();
  const stem = `${basename(source, extension).replaceAll(/[^\w.-]/g, '_')}-${await hashOf(files)}`;
  const paths: string[] = [];
  for (const file of files) paths.push(await ensureMedia(host, node.id, file, `${stem}${extname(file)}`));
  return paths[0] ?? source;
}

/** The audio that is read with a video file of this machine, if it exists. */
export function audioBeside(source: string): string | undefined {
  const extension = extname(source);
  const audio = `${source.slice(0, -extension.length)}.ogg`;
  return withOgg.has(extension) && isFile(audio) ? audio : undefined;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function hashOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) await pipeline(createReadStream(file), hash, { end: false });
  return hash.digest('hex').slice(0, 12);
}
