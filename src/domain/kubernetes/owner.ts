import { z } from 'zod';
import { labelValue, ownerAnnotations } from './names';

/** The console that created something in a cluster. */
export interface ClusterOwner {
  /** Random, new for each console. */
  readonly id: string;
  readonly user: string;
  readonly host: string;
  readonly pid: number;
}

/** Selects what the consoles of one user on one machine have created. */
export function userLabel({ user, host }: Pick<ClusterOwner, 'user' | 'host'>): string {
  return labelValue(`${user}.${host}`);
}

/** As annotations of a Job. */
export function annotationsOf(owner: ClusterOwner, node: string): Record<string, string> {
  return {
    [ownerAnnotations.user]: owner.user,
    [ownerAnnotations.host]: owner.host,
    [ownerAnnotations.pid]: String(owner.pid),
    [ownerAnnotations.node]: node,
  };
}

const written = z.object({
  [ownerAnnotations.user]: z.string(),
  [ownerAnnotations.host]: z.string(),
  [ownerAnnotations.pid]: z.coerce.number().int().positive(),
  [ownerAnnotations.node]: z.string(),
});

/** The owner by its annotations; undefined if they are incomplete. */
export function ownerOf(
  annotations: Readonly<Record<string, string>> | undefined,
): (Omit<ClusterOwner, 'id'> & { readonly node: string }) | undefined {
  const read = written.safeParse(annotations);
  if (!read.success) return undefined;
  const { data } = read;
  return {
    user: data[ownerAnnotations.user],
    host: data[ownerAnnotations.host],
    pid: data[ownerAnnotations.pid],
    node: data[ownerAnnotations.node],
  };
}
