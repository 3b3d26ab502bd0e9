import { lstatSync, type Stats } from 'node:fs';

/** The uid of this process; undefined where the system has none (Windows). */
export const ownUser = (): number | undefined => process.getuid?.();

/** Whether a file or folder belongs to `user`. Without uids everything counts as the user's. */
export function belongsTo(stat: Pick<Stats, 'uid'>, user: number | undefined): boolean {
  return user === undefined || stat.uid === user;
}

/**
 * Why files may not be deleted from the folder or moved into it: another user could have created it. Undefined for a
 * folder of `user`, and for a path without one.
 */
export function foreignFolder(path: string, user: number | undefined = ownUser()): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (stat.isSymbolicLink()) return `${path} is a symbolic link`;
  if (!stat.isDirectory()) return `${path} is not a folder`;
  return belongsTo(stat, user) ? undefined : `${path} belongs to another user`;
}
