import { FullhouseError } from '../../../contract/calls';
import type { WcsStream } from './restSchemas';
import type { WcsRest } from './wcsRest';

/** The published streams of a server, with their metrics where its version supports them. */
export class PublishedStreams {
  /** False once the version has turned out not to support metrics. */
  hasMetrics = true;

  constructor(private readonly rest: WcsRest) {}

  async list(): Promise<WcsStream[]> {
    // A version that does not know the filter returns everything.
    return (await this.find()).filter(({ published }) => published !== false);
  }

  private async find(): Promise<WcsStream[]> {
    const published = { published: true };
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
