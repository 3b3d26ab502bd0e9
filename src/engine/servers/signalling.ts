import type { IncomingMessage } from 'node:http';
import { FullhouseError } from '../../contract/calls';
import { proxyFor } from '../links/http/proxyChoice';
import { proxyRefusal, proxyUnreachable } from '../links/http/proxyTunnel';
import { startRequest } from '../links/http/startRequest';
import { mayRedirect } from '../links/http/redirect';
import { withoutTokens } from '../links/withoutTokens';

/** A WHIP or WHEP session that the server has granted. */
export interface SignalledSession {
  readonly answerSdp: string;
  /** Where the session is ended with DELETE. */
  readonly resourceUrl: string;
}

export interface SignallingOptions {
  /** The node's name, for messages. */
  readonly who?: string;
  /** Sessions may be on another origin than the offer's address, as configured for this node. */
  readonly allowCrossOrigin?: boolean;
  readonly bearerToken?: string;
  /** The server's certificate is not checked, as configured for this node. */
  readonly acceptSelfSigned?: boolean;
  /** An HTTP proxy as configured for this node, or `none`; default: that of the variables. */
  readonly proxy?: string;
}

const timeoutMs = 5000;
const maxAnswerBytes = 200_000;

/**
 * Posts an SDP offer (RFC 9725 and the WHEP draft) and returns the answer. Rejects with one sentence with the server's
 * own reason.
 */
export async function postOffer(
  url: string,
  offerSdp: string,
  options: SignallingOptions = {},
): Promise<SignalledSession> {
  const answer = await send('POST', url, offerSdp, options);
  if (answer.status === 307 || answer.status === 308)
    throw new FullhouseError(
      `http-${answer.status}`,
      `${url} redirects the offer${ledTo(url, answer.headers.location)}, which is not followed; enter the target address for ${options.who ?? 'the node'}.`,
    );
  if (answer.status !== 201) {
    const reason = withoutTokens(answer.body).trim().slice(0, 200);
    throw new FullhouseError(
      `http-${answer.status}`,
      `${url} refused the offer (HTTP ${answer.status})${reason ? `: ${reason}` : '.'}`,
    );
  }
  const location = answer.headers.location;
  if (!location)
    throw new FullhouseError(
      'no-location',
      `${url} accepted the offer without a Location header to end the session with.`,
    );
  return { answerSdp: answer.body, resourceUrl: sessionAddress(url, location, options) };
}

function ledTo(url: string, location: string | undefined): string {
  try {
    return location === undefined ? '' : ` to ${new URL(location, url).origin}`;
  } catch {
    return '';
  }
}

/** The address in a Location header. A DELETE goes there, so only the node's own origin is accepted. */
function sessionAddress(url: string, location: string, { who, allowCrossOrigin }: SignallingOptions): string {
  let session: URL;
  try {
    session = new URL(location, url);
  } catch (error) {
    const sentence = `${url} accepted the offer but its Location header is not a valid address.`;
    throw new FullhouseError('no-location', sentence, { cause: error });
  }
  if (!mayRedirect(new URL(url), session, allowCrossOrigin))
    throw new FullhouseError(
      'cross-origin',
      `${url} returned a session on another origin, ${session.origin}, which is not followed; to allow that server, set allowCrossOrigin: true on ${who ?? 'the node'}.`,
    );
  return session.href;
}

/** Ends a session. One that is gone already (404, 410) counts as ended. */
export async function deleteSession(resourceUrl: string, options: SignallingOptions = {}): Promise<void> {
  const { status } = await send('DELETE', resourceUrl, undefined, options);
  if (status >= 300 && status !== 404 && status !== 410)
    throw new FullhouseError(`http-${status}`, `${resourceUrl} refused to end the session (HTTP ${status}).`);
}

// node:http and not fetch: Electron 22 brings Node 16, which has none.
function send(
  method: 'POST' | 'DELETE',
  url: string,
  body: string | undefined,
  { who = 'the node', bearerToken, acceptSelfSigned, proxy: setting }: SignallingOptions,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const proxy = proxyFor(target, setting, who);
    const isPlainByProxy = proxy !== undefined && target.protocol === 'http:';
    const fail = (why: string, cause?: unknown): void =>
      reject(
        cause instanceof FullhouseError
          ? cause
          : new FullhouseError('no-answer', `${url} does not respond: ${why}.`, { cause }),
      );
    const request = startRequest(target, {
      ...{ who, proxy, method, timeout: timeoutMs, acceptSelfSigned: acceptSelfSigned === true },
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/sdp', 'Content-Length': Buffer.byteLength(body) }),
        ...(bearerToken ? { Authorization: `Bearer ${bearerToken}` } : {}),
      },
    });
    request.on('response', (response) => {
      if (isPlainByProxy && response.statusCode === 407) {
        response.destroy();
        return reject(proxyRefusal(who, proxy, url, 407));
      }
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maxAnswerBytes) request.destroy(new Error('its response is too long'));
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      response.on('error', (error) => fail(error.message, error));
    });
    request.on('timeout', () => request.destroy(new Error(`timed out after ${timeoutMs / 1000} s`)));
    request.on('error', (error: NodeJS.ErrnoException) =>
      isPlainByProxy && /^(?:connect|getaddrinfo)$/.test(error.syscall ?? '')
        ? reject(proxyUnreachable(who, proxy, error))
        : fail(error.message, error),
    );
    request.end(body);
  });
}
