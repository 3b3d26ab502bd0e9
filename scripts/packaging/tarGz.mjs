import { basename, dirname, join } from 'node:path';
import { mustRun } from '../setup/command.mjs';
import { artifactName } from './artifactName.mjs';

/**
 * Makes a tar.gz of an unpacked app with the system's tar; its folder has the name of the file.
 * @returns {Promise<string>} its path
 */
export async function makeTarGz({ config, app, arch, version, output, isCompressed }) {
  const file = artifactName(config, { version, os: 'linux', arch, ext: 'tar.gz' });
  const path = join(output, file);
  const folder = file.replace(/\.tar\.gz$/, '');
  await mustRun('Packing the tar.gz', 'tar', [
    ...[
      '--create',
      '--use-compress-program',
      isCompressed ? 'gzip -9' : 'gzip -1',
      '--file',
      path,
      '--directory',
      dirname(app),
    ],
    ...['--owner=0', '--group=0', '--numeric-owner', '--sort=name'],
    // Only names that start with it: targets of links stay as they are.
    ...['--transform', `flags=rSH;s,^${basename(app)},${folder},`, basename(app)],
  ]);
  return path;
}
