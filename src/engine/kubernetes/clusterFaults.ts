import { z } from 'zod';
import { FullhouseError } from '../../contract/calls';
import { shortened } from '../../domain/text/shortened';

/** Codes of `FullhouseError`s about a cluster. */
export type ClusterFault =
  'cluster-unreachable' | 'cluster-refused' | 'cluster-login' | 'no-such-object' | 'object-exists' | 'cluster-failed';

/** A failed request as the client of Kubernetes throws it. */
const apiError = z.object({ code: z.number(), body: z.unknown() });
const status = z.object({ message: z.string() });

/** One sentence for a failed request to a cluster; `action` as in "could not create the Job". */
export function clusterFault(error: unknown, cluster: string, action: string): FullhouseError {
  if (error instanceof FullhouseError) return error;
  const answered = apiError.safeParse(error);
  if (answered.success) return answeredFault(answered.data.code, messageOf(answered.data.body), cluster, action, error);
  const message = error instanceof Error || hasMessage(error) ? error.message : String(error);
  return new FullhouseError(
    'cluster-unreachable',
    `${cluster} can't be reached to ${action}: ${reasonOf(error, message)}.`,
    { cause: error },
  );
}

function answeredFault(code: number, message: string, cluster: string, action: string, cause: unknown): FullhouseError {
  const why = message === '' ? `HTTP ${code}` : message.replace(/\.$/, '');
  const fault = (name: ClusterFault, sentence: string): FullhouseError => new FullhouseError(name, sentence, { cause });
  if (code >= 300 && code < 400)
    return fault(
      'cluster-failed',
      `${cluster} could not ${action}: it redirects to another address, which is not followed; set that address in the kubeconfig if it is the cluster's.`,
    );
  switch (code) {
    case 401:
      return fault('cluster-refused', `${cluster} rejected the credentials of the kubeconfig; log in again.`);
    case 403:
      return fault('cluster-refused', `${cluster} does not allow to ${action}: ${why}.`);
    case 404:
      return fault('no-such-object', `${cluster} could not ${action}: ${why}.`);
    case 409:
      return fault('object-exists', `${cluster} could not ${action}: ${why}.`);
    default:
      return fault('cluster-failed', `${cluster} could not ${action}: ${why}.`);
  }
}

/** A Status of Kubernetes, as an object or as JSON. */
function messageOf(body: unknown): string {
  const parsed = status.safeParse(typeof body === 'string' ? jsonOf(body) : body);
  return parsed.success ? shortened(parsed.data.message) : typeof body === 'string' ? body.trim().slice(0, 300) : '';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An event of a WebSocket is no Error. */
function hasMessage(error: unknown): error is { readonly message: string } {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
}

function reasonOf(error: unknown, message: string): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError' || name === 'TimeoutError') return 'no response in time';
  const code = (error as { code?: unknown }).code;
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND') return 'its host name is unknown';
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  return message.replace(/^request to \S+ failed, reason: /, '').replace(/\.$/, '');
}

/** Whether the cluster rejected the credentials. */
export function isUnauthorized(error: unknown): boolean {
  const answered = apiError.safeParse(error);
  return answered.success && answered.data.code === 401;
}

/** Whether the request may succeed later: no answer, or an overloaded server. */
export function isTemporary(error: unknown): boolean {
  return error instanceof FullhouseError && (error.code === 'cluster-unreachable' || error.code === 'cluster-failed');
}

export function isAbsent(error: unknown): boolean {
  return error instanceof FullhouseError && error.code === 'no-such-object';
}
