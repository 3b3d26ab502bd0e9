import { FullhouseError } from '../../../contract/calls';
import type { WcsStream } from './restSchemas';
import type { WcsRest } from './wcsRest';

/** The list of all streams has their session descriptions, several kB each: max load of the server by it. */
const listBytesPerSecond = 1_000_000;
/** Bytes of an entry besides its session description. */
const entryBytes = 1500;

/** How long after this list the next one may be requested. */
export function listIntervalMs(streams: readonly WcsStream[]): number {
  const bytes = streams.reduce((sum, { sdp }) => sum + entryBytes + (sdp?.length ?? 0), 0);
  return (1000 * bytes) / listBytesPerSecond;
}

/** The published streams of a server, with their metrics where its version supports them. */
export class PublishedStreams {
  /** False once the version has turned out not to support metrics. */
  hasMetrics = true;
  /** False once the version has turned out to return streams of any name. */
  filtersNames = true;

  constructor(private readonly rest: WcsRest) {}

  /** All, or those of one name. */
  async list(name?: string): Promise<WcsStream[]> {
    // A version that does not know a filter returns everything.
    const found = await this.find(name);
    const fitting = found.filter((stream) => (name ?? stream.name) === stream.name);
    if (fitting.length < found.length) this.filtersNames = false;
    return fitting.filter(({ published }) => published !== false);
  }

  private async find(name: string | undefined): Promise<WcsStream[]> {
    const published = { published: true, ...(name === undefined ? {} : { name }) };
    if (!this.hasMetrics) return this.rest.stream.find(published);
    try {
      return await this.rest.stream.find({ ...published, withMetrics: true });
    } catch (error) {
      if (!(error instanceof FullhouseError) || error.code !== 'http-500') throw error;
      // An unknown parameter gets the same status as a server error: only a request without it distinguishes the two.
      const streams = await this.rest.stream.find(published);
      this.hasMetrics = false;
      return streams;
    }
  }
}
