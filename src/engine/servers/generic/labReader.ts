import type { StreamView } from '../../../domain/model/node';
import type { OriginSettings } from '../../../domain/model/nodeSettings';
import type { HttpLink } from '../../links/http/httpLink';
import { isLab, labStreams } from './lab';
import { example } from '../ports';

/** A lab, on this machine or a near one, responds at once. */
const firstTimeoutMs = 2000;

type Streams = readonly StreamView[] | undefined;

export interface LabReader {
  readonly origin: string;
  /** Whether its last response was the page of a lab. */
  readonly isLab: boolean;
  /** The streams of a lab now; undefined when another server responds. Rejects without a response. */
  read(): Promise<Streams>;
  /** Whether it is a lab, which is requested once: an error or silence means another server. Never rejects. */
  readFirst(): Promise<Streams>;
  /** Its port does not respond: whatever does later may be a lab. */
  forget(): void;
}

/**
 * Reads the page `/` of a lab, which lists its streams; undefined for a node without the addresses of a lab. Any other
 * server gets one request for it: the page is not among the configured addresses.
 */
export function labReader(http: HttpLink, settings: OriginSettings): LabReader | undefined {
  const address = settings.whep ?? settings.whip;
  if (address === undefined) return undefined;
  const { origin, pathname } = example(address);
  if (!/^\/(whep|whip)\/[^/]+$/.test(pathname)) return undefined;
  let first: Promise<Streams> | undefined;
  let isRecognised = false;
  const read = async (timeoutMs?: number): Promise<Streams> => {
    const { body } = await http.request({ url: `${origin}/`, timeoutMs, firstBytes: 1_000_000 });
    isRecognised = isLab(body);
    return isRecognised ? labStreams(body) : undefined;
  };
  return {
    origin,
    get isLab() {
      return isRecognised;
    },
    read: async () => {
      const streams = await read();
      if (!streams) first = Promise.resolve(undefined);
      return streams;
    },
    readFirst: () => (first ??= read(firstTimeoutMs).catch(() => undefined)),
    forget: () => {
      first = undefined;
      isRecognised = false;
    },
  };
}
