import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WindowPage } from '../windowPage';

const folder = process.env['FULLHOUSE_PICTURES'];

/** Saves a picture of the window where the environment names a folder for them, e.g. `zoom 200, nodes`. */
export async function takePicture(window: WindowPage, name: string): Promise<void> {
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`), await window.capture());
}
