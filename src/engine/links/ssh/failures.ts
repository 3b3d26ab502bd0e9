import { FullhouseError } from '../../../contract/calls';
import { hostAndPort } from './address';
import type { HostKeyQuestion } from '../../../domain/node';
import type { SshHop } from './sshConfig';

/** A hop for sentences: `bastion (10.0.0.1:22)`, with its part in the way. */
export function hopName(hop: SshHop, isTarget: boolean): string {
  const address = hostAndPort(hop.host, hop.port);
  const name = hop.name === hop.host ? address : `${hop.name} (${address})`;
  return isTarget ? name : `the jump host ${name}`;
}

/** What can go wrong before the login, as Node's and ssh2's errors tell it, in words. `hop` begins no sentence. */
export function connectFailure(
  who: string,
  hop: string,
  before: string | undefined,
  error: Error & { code?: unknown; level?: unknown; reason?: unknown },
  timeoutMs: number,
): FullhouseError {
  const say = (code: string, words: string): FullhouseError =>
    new FullhouseError(code, `${who}: ${words}`, { cause: error });
  const seenFrom = before ? `, seen from ${before}` : '';
  const text = error.message.replace(/\.$/, '');
  if (error.reason !== undefined) return throughHop(who, hop, before ?? 'this machine', error);
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_NODATA':
      return say('no-such-host', `${hop} has a name that can't be resolved. Check the address.`);
    case 'ECONNREFUSED':
      return say('refused', `${hop} refuses the connection${seenFrom}. Is sshd running there, on this port?`);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
      return say(
        'unreachable',
        `There is no way to ${hop}${seenFrom} (${error.code}). Check network and VPN.`,
      );
    case 'ETIMEDOUT':
      return say('timeout', `${hop} does not answer${seenFrom}. A firewall may drop the packets.`);
    case 'ECONNRESET':
    case 'EPIPE':
      return say(
        'unreachable',
        `${hop} closed the connection before the login. It may limit connections (MaxStartups).`,
      );
  }
  if (error.level === 'client-timeout')
    return say(
      'timeout',
      `${hop} did not let us in within ${timeoutMs / 1000} s. It may be overloaded, or a firewall drops the packets.`,
    );
  if (/before handshake|No response from server/i.test(text))
    return say(
      'unreachable',
      `${hop} closed the connection before the login. It may limit connections (MaxStartups) or not be an SSH server.`,
    );
  if (/no matching/i.test(text))
    return say('unreachable', `${hop} and Fullhouse have no cryptography in common: ${text}.`);
  return say('unreachable', `${hop} can't be reached: ${text}.`);
}

/** Something else listens there; its first line often tells what. */
export function notSsh(who: string, hop: string, heard: string): FullhouseError {
  const line = (heard.split(/\r?\n/)[0] ?? '').replace(/[^ -~]/g, '.').slice(0, 60);
  return new FullhouseError(
    'unreachable',
    `${who}: ${hop} answers, but not as an SSH server; it says "${line}". Check the port.`,
  );
}

/** A hop refused to open the connection to the next one, or to a forwarded address. */
export function throughHop(
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
      `${who}: ${hop} does not allow connections onward (AllowTcpForwarding in its sshd_config), so ${wanted} can't be reached through it.`,
    );
  if (/refused/i.test(reason))
    return new FullhouseError('refused', `${who}: ${wanted} refuses the connection, seen from ${hop}.`);
  if (/resol|name or service|not known/i.test(reason))
    return new FullhouseError('no-such-host', `${who}: ${hop} can't resolve the name of ${wanted}.`);
  return new FullhouseError(
    'unreachable',
    `${who}: ${hop} can't reach ${wanted}: ${reason || 'it gave no reason'}.`,
  );
}

/** Nobody but a person decides about a key that is not the known one. The error's `cause` is the question. */
export function hostKeyFailure(who: string, hop: string, question: HostKeyQuestion): FullhouseError {
  const { keyType, fingerprint, known, state } = question;
  const shown = `${keyType} ${fingerprint}`;
  if (state === 'changed' && known?.fingerprint === fingerprint)
    return new FullhouseError(
      'host-key-changed',
      `${who}: ${hop} shows a host key that was revoked (${shown}, ${known.where}). Whoever holds it is not to be trusted; nothing was sent.`,
      { cause: question },
    );
  if (state === 'changed')
    return new FullhouseError(
      'host-key-changed',
      `${who}: ${hop} shows another host key than the one that is known: ${shown} in place of ${known?.fingerprint ?? 'another'} (${known?.where ?? 'known before'}). The host was installed anew, or somebody stands in between; nothing was sent. Compare the keys with the host's owner before you trust the new one.`,
      { cause: question },
    );
  const other = known ? ` It is known by another type of key (${known.where}), which it does not show.` : '';
  return new FullhouseError(
    'host-key-unknown',
    `${who}: the host key of ${hop} is not known yet: ${shown}.${other} Compare the fingerprint with the host's owner and trust it once; nothing was sent.`,
    { cause: question },
  );
}
