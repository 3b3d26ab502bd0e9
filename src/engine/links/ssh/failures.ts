import { FullhouseError } from '../../../contract/calls';
import { hostAndPort } from './address';
import type { HostKeyQuestion } from '../../../domain/model/node';
import type { SshHop } from './sshConfig';

/** A hop for messages: `bastion (10.0.0.1:22)`, with its role in the route. */
export function hopName(hop: SshHop, isTarget: boolean): string {
  const address = hostAndPort(hop.host, hop.port);
  const name = hop.name === hop.host ? address : `${hop.name} (${address})`;
  return isTarget ? name : `the jump host ${name}`;
}

/** Messages for Node's and ssh2's errors before the login. `hop` does not start a sentence. */
export function connectFailure(
  who: string,
  hop: string,
  before: string | undefined,
  error: Error & { code?: unknown; level?: unknown; reason?: unknown },
  timeoutMs: number,
): FullhouseError {
  const fault = (code: string, words: string): FullhouseError =>
    new FullhouseError(code, `${who}: ${words}`, { cause: error });
  const seenFrom = before ? ` from ${before}` : '';
  const text = error.message.replace(/\.$/, '');
  if (error.reason !== undefined) return forwardFailure(who, hop, before ?? 'this machine', error);
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_NODATA':
      return fault('no-such-host', `the name of ${hop} can't be resolved. Check the address.`);
    case 'ECONNREFUSED':
      return fault(
        'refused',
        `${hop} refused the connection${seenFrom}. Check that sshd is running there on this port.`,
      );
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
      return fault('unreachable', `${hop} is unreachable${seenFrom} (${error.code}). Check network and VPN.`);
    case 'ETIMEDOUT':
      return fault(
        'timeout',
        `${hop} does not respond${before ? ` to ${before}` : ''}. A firewall may drop the packets.`,
      );
    case 'ECONNRESET':
    case 'EPIPE':
      return fault(
        'unreachable',
        `${hop} closed the connection before the login. It may limit connections (MaxStartups).`,
      );
  }
  if (error.level === 'client-timeout')
    return fault(
      'timeout',
      `${hop} did not complete the login within ${timeoutMs / 1000} s. It may be overloaded, or a firewall drops the packets.`,
    );
  if (/before handshake|No response from server/i.test(text))
    return fault(
      'unreachable',
      `${hop} closed the connection before the login. It may limit connections (MaxStartups) or not be an SSH server.`,
    );
  if (/no matching/i.test(text)) return fault('unreachable', `${hop} and Fullhouse have no common algorithm: ${text}.`);
  return fault('unreachable', `${hop} can't be reached: ${text}.`);
}

/** Another service listens there; its first line often identifies it. */
export function notAnSshServer(who: string, hop: string, heard: string): FullhouseError {
  const line = (heard.split(/\r?\n/)[0] ?? '').replace(/[^ -~]/g, '.').slice(0, 60);
  return new FullhouseError('unreachable', `${who}: ${hop} is not an SSH server; it sent "${line}". Check the port.`);
}

/** A hop refused to open the connection to the next one, or to a forwarded address. */
export function forwardFailure(
  who: string,
  wanted: string,
  hop: string,
  error: Error & { reason?: unknown },
): FullhouseError {
  const reason = error.message.replace(/^\(SSH\) Channel open failure: /, '');
  // 1 is "administratively prohibited" (RFC 4254, section 5.1).
  if (error.reason === 1 || /prohibited/i.test(reason))
    return new FullhouseError(
      'forwarding-refused',
      `${who}: ${hop} does not allow TCP forwarding (AllowTcpForwarding in its sshd_config), so ${wanted} can't be reached through it.`,
    );
  if (/refused/i.test(reason))
    return new FullhouseError('refused', `${who}: ${wanted} refused the connection from ${hop}.`);
  if (/resol|name or service|not known/i.test(reason))
    return new FullhouseError('no-such-host', `${who}: ${hop} can't resolve the name of ${wanted}.`);
  return new FullhouseError('unreachable', `${who}: ${hop} can't reach ${wanted}: ${reason || 'no reason given'}.`);
}

/** Only the user can accept a key other than the known one. The error's `cause` is the question. */
export function hostKeyFailure(who: string, hop: string, question: HostKeyQuestion): FullhouseError {
  const { keyType, fingerprint, known, state } = question;
  const shown = `${keyType} ${fingerprint}`;
  if (state === 'changed' && known?.fingerprint === fingerprint)
    return new FullhouseError(
      'host-key-changed',
      `${who}: ${hop} presented a revoked host key (${shown}, ${known.where}). Do not trust this host; nothing was sent.`,
      { cause: question },
    );
  if (state === 'changed')
    return new FullhouseError(
      'host-key-changed',
      `${who}: ${hop} presented a changed host key: ${shown} instead of ${known?.fingerprint ?? 'another'} (${known?.where ?? 'known before'}). The host was reinstalled, or the connection is intercepted; nothing was sent. Compare the keys with the host's owner before you trust the new one.`,
      { cause: question },
    );
  const other = known ? ` A key of another type is known (${known.where}), but was not presented.` : '';
  return new FullhouseError(
    'host-key-unknown',
    `${who}: the host key of ${hop} is unknown: ${shown}.${other} Verify the fingerprint with the host's owner and trust it once; nothing was sent.`,
    { cause: question },
  );
}
