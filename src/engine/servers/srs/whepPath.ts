import { parseForeignJson } from '../../../domain/budget/foreignJson';
import type { HttpLink } from '../../links/http/httpLink';
import { envelope } from './responses';

/** The path of WHEP under `/rtc/v1/`; versions 5 and 6 had it under the other name first. */
export type WhepPath = 'whep' | 'whip-play';

const firstMajorWithWhep = 7;

/**
 * Which of both paths this SRS has: an unknown one returns the list of its API with the status 200, also to an offer.
 * The usual one without a response.
 */
export async function findWhepPath(
  http: Pick<HttpLink, 'request'>,
  base: string,
  major: number,
  timeoutMs: number,
): Promise<WhepPath> {
  if (major >= firstMajorWithWhep) return 'whep';
  const url = new URL('/rtc/v1/whep/', base).href;
  const response = await http.request({ url, timeoutMs }).catch(() => undefined);
  return response !== undefined && isList(response.body) ? 'whip-play' : 'whep';
}

function isList(body: string): boolean {
  try {
    const parsed = envelope.safeParse(parseForeignJson(body));
    return parsed.success && parsed.data.urls !== undefined;
  } catch {
    return false; // what a known path returns to a request without an offer
  }
}
