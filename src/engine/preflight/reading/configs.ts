import type { NodeSettings } from '../../../domain/model/nodeSettings';
import type { ServerProcess } from './serverProcess';

/** Configuration files that rules read, by our own names. */
export type ConfigName =
  'flashphoner.properties' | 'wcs-core.properties' | 'jdk release' | 'srs.conf' | 'nginx.conf' | 'livekit.yaml';

const defaultWcs = '/usr/local/FlashphonerWebCallServer';

/**
 * Path of a configuration: from the node's settings (`config`), else from the arguments of the running server, else
 * the product's default. Undefined where none is known.
 */
export function pathOfConfig(
  name: ConfigName,
  settings: NodeSettings,
  processes: readonly ServerProcess[],
): string | undefined {
  const { config } = settings;
  switch (name) {
    case 'flashphoner.properties':
    case 'wcs-core.properties':
      return `${config ?? `${wcsFolder(processes)}/conf`}/${name}`;
    case 'jdk release':
      return jdkRelease(processes);
    case 'srs.conf':
      return config ?? afterWord(processes, ['-c']) ?? '/usr/local/srs/conf/srs.conf';
    case 'nginx.conf':
      return config ?? afterWord(processes, ['-c'], '-p') ?? '/etc/nginx/nginx.conf';
    case 'livekit.yaml':
      return config ?? afterWord(processes, ['--config', '--config-file']) ?? '/etc/livekit.yaml';
  }
}

function wcsFolder(processes: readonly ServerProcess[]): string {
  for (const { words } of processes)
    for (const word of words) {
      const path = /(\/[^\s:=]*FlashphonerWebCallServer[^\s:=/]*)/.exec(word)?.[1];
      if (path) return path;
    }
  return defaultWcs;
}

/** `release` is in the folder above the program's. */
function jdkRelease(processes: readonly ServerProcess[]): string | undefined {
  for (const { program, words } of processes) {
    const java = program ?? words[0] ?? '';
    if (/^\/.*\/bin\/java$/.test(java)) return java.replace(/(\/jre)?\/bin\/java$/, '/release');
  }
  return undefined;
}

/**
 * The argument after one of these words; a relative path is resolved against the folder in `prefix`, else the process's
 * own.
 */
function afterWord(processes: readonly ServerProcess[], keys: readonly string[], prefix?: string): string | undefined {
  for (const { words, folder } of processes) {
    // nginx shows its arguments as one.
    const all = words.length === 1 ? (words[0] ?? '').split(/\s+/) : words;
    const place = all.findIndex((word) => keys.includes(word));
    const path =
      place >= 0
        ? all[place + 1]
        : all
            .map((word) => keys.find((key) => word.startsWith(`${key}=`)) && word.replace(/^[^=]*=/, ''))
            .find(Boolean);
    if (!path) continue;
    if (path.startsWith('/')) return path;
    const before = prefix === undefined ? -1 : all.indexOf(prefix);
    const base = (before < 0 ? undefined : all[before + 1]) ?? folder;
    if (base?.startsWith('/')) return `${base.replace(/\/$/, '')}/${path}`;
  }
  return undefined;
}
