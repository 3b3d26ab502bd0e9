import { readFile } from 'node:fs/promises';
import { parseOpenFilesLimit } from './procParse';

/** Max open files of a process of this machine, where known. */
export async function readOpenFilesLimit(): Promise<number | undefined> {
  return process.platform === 'linux' ? parseOpenFilesLimit(await readFile('/proc/self/limits', 'utf8')) : undefined;
}

/** Number of ephemeral ports of this machine, where known. */
export async function readPortCount(): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const [first, last] = (await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'))
    .trim()
    .split(/\s+/)
    .map(Number);
  return first === undefined || last === undefined ? undefined : last - first + 1;
}
