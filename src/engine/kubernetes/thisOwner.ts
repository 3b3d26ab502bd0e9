import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { ClusterOwner } from '../../domain/kubernetes/owner';

/** This console, as the owner of what it creates in clusters. */
export function thisOwner(): ClusterOwner {
  return { id: randomBytes(8).toString('hex'), user: userName(), host: hostname(), pid: process.pid };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown'; // a container's user without an entry in /etc/passwd
  }
}
