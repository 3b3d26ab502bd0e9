import type { Clock } from '../../base/clock';
import { openHttpLink } from './openHttpLink';

/**
 * Sends a value as JSON to an address that the person has allowed. Rejects with why it failed, without the address: that
 * may have secrets.
 */
export async function postJson(
  url: string,
  value: unknown,
  { clock, timeoutMs, signal }: { readonly clock: Clock; readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<void> {
  const link = openHttpLink({ who: new URL(url).host, clock });
  try {
    const answer = await link.request({
      ...{
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(value),
        timeoutMs,
      },
      ...(signal && { signal }),
    });
    // A POST is not redirected: the other address was not allowed.
    if (answer.status >= 300 && answer.status < 400)
      throw new Error(`it redirects (HTTP ${answer.status}) to another address; enter the final one.`);
    if (answer.status < 200 || answer.status >= 300) throw new Error(`it responded with HTTP ${answer.status}.`);
  } finally {
    link.close();
  }
}
