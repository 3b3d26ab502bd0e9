import { FullhouseError } from '../../../contract/calls';
import type { WcsStream } from './restSchemas';
import type { WcsRest } from './wcsRest';

/** The published streams of a server, with their metrics or, where its version does not know them, without. */
export class PublishedStreams {
  /** False once the version has turned out not to know metrics. */
  hasMetrics = true;

  constructor(private readonly rest: WcsRest) {}

  async list(): Promise<WcsStream[]> {
    // A version that does not know the filter answers with everything.
    return (await this.find()).filter(({ published }) => published !== false);
  }

  private async find(): Promise<WcsStream[]> {
    const published = { published: true };
    if (!this.hasMetrics) return this.rest.stream.find(published);
    try {
      return await this.rest.stream.find({ ...published, withMetrics: true });
    } catch (error) {
      if (!(error instanceof FullhouseError) || error.code !== 'http-500') throw error;
      // A parameter that a version does not know is answered like trouble of its own: only the plain question tells them apart.
      const streams = await this.rest.stream.find(published);
      this.hasMetrics = false;
      return streams;
    }
  }
}
