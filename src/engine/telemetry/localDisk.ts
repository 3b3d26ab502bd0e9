import * as files from 'node:fs/promises';

/** Free bytes for programs on this machine's root file system; undefined where that is unknown. Never rejects. */
export async function localDiskFree(): Promise<number | undefined> {
  try {
    // Since Node.js 18.15; the fallback runtime is older.
    if (!('statfs' in files)) return undefined;
    const { bavail, bsize } = await files.statfs(process.platform === 'win32' ? 'C:\\' : '/');
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
