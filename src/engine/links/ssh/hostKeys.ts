import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HostKeyQuestion } from '../../../domain/model/node';
import { FullhouseError } from '../../../contract/calls';
import { knownHostsName } from './address';
import { fingerprintOf, keyTypeOf, lineMatches, parseKnownHosts, type KnownHostLine } from './knownHosts';
import type { HostKeys } from './sshLink';
import { reasonNotRead, reasonOf } from '../../store/failure';

interface FoundLine extends KnownHostLine {
  readonly where: string;
}

/**
 * The host keys that ssh trusts in a terminal (`known_hosts` and `known_hosts2` of the ssh folder and of the system)
 * and the app's own file; only that is written, and it may be absent. The files are read for every check: they may be
 * edited meanwhile.
 */
export function openHostKeys(options: { readonly ownFile?: string; readonly sshFolder?: string }): HostKeys {
  const { ownFile } = options;
  const sshFolder = options.sshFolder ?? join(homedir(), '.ssh');
  const usual = [
    ...['known_hosts', 'known_hosts2'].map((name) => join(sshFolder, name)),
    ...['ssh_known_hosts', 'ssh_known_hosts2'].map((name) => join('/etc/ssh', name)),
  ];

  const linesFor = (name: string, files: readonly string[] = usual): FoundLine[] =>
    [...(ownFile === undefined ? [] : [ownFile]), ...files].flatMap((file) =>
      read(file)
        .filter((line) => lineMatches(line, name))
        .map((line) => ({ ...line, where: `${shortPath(file)} line ${line.line}` })),
    );

  return {
    question(host, port, key, files) {
      const name = knownHostsName(host, port);
      const lines = linesFor(name, files);
      const ask = (state: HostKeyQuestion['state'], other: FoundLine | undefined): HostKeyQuestion => ({
        state,
        host: name,
        keyType: keyTypeOf(key),
        fingerprint: fingerprintOf(key),
        ...(other && { known: { fingerprint: fingerprintOf(other.key), where: other.where } }),
      });
      const revoked = lines.find((line) => line.marker === 'revoked' && line.key.equals(key));
      if (revoked) return ask('changed', { ...revoked, where: `${revoked.where} (@revoked)` });
      const plain = lines.filter((line) => line.marker === undefined);
      if (plain.some((line) => line.key.equals(key))) return undefined;
      const sameType = plain.find((line) => line.keyType === keyTypeOf(key));
      // A host with a known key of another type only is new to ssh, too; the question names the known key.
      return sameType ? ask('changed', sameType) : ask('unknown', plain[0]);
    },

    knownTypes(host, port, files) {
      const lines = linesFor(knownHostsName(host, port), files);
      return [...new Set(lines.filter((line) => line.marker === undefined).map((line) => line.keyType))];
    },

    trust(host, port, key) {
      const name = knownHostsName(host, port);
      if (ownFile === undefined)
        throw new FullhouseError('ssh-config', `The key of ${name} can't be saved: no known hosts file is open.`);
      const remaining = existsSync(ownFile)
        ? readFileSync(ownFile, 'utf8')
            .split('\n')
            .filter((line) => line.trim() && line.trim().split(/\s+/)[0] !== name)
        : [];
      const lines = [...remaining, `${name} ${keyTypeOf(key)} ${key.toString('base64')}`];
      writeWhole(ownFile, `${lines.join('\n')}\n`);
    },
  };
}

function read(file: string): KnownHostLine[] {
  try {
    return parseKnownHosts(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    // An unreadable file might contain the key that would reveal a changed one.
    throw new FullhouseError(
      'ssh-config',
      `The known host keys in ${shortPath(file)} can't be read: ${reasonNotRead(error)}.`,
    );
  }
}

function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const part = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(part, text, { mode: 0o600 });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw new FullhouseError('ssh-config', `The host key can't be saved in ${shortPath(file)}: ${reasonOf(error)}.`);
  }
}

/** With `~` for the home folder, for messages. */
export function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
