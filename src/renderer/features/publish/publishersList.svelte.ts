import { agentLimits } from '../../../contract/agentLimits';
import type { AgentPublisher } from '../../../contract/agentSample';
import { allPages } from '../../client/allPages';
import type { WindowClient } from '../../client/connection';
import { withRates, type PublisherRow } from './publisherColumns';
import { errorText } from '../../../domain/text/errorText';

const pageSize = agentLimits.maxViewersListed;
const refreshMs = 2000;

/** The publishers of a job with their figures, reloaded until it is disposed. */
export class PublishersList {
  rows = $state.raw<readonly PublisherRow[]>([]);
  isLoaded = $state(false);
  problem = $state<string>();
  readonly #engine: WindowClient;
  readonly #job: string;
  #before: { readonly atMs: number; readonly publishers: readonly AgentPublisher[] } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDisposed = false;

  constructor(engine: WindowClient, job: string) {
    this.#engine = engine;
    this.#job = job;
    void this.#read();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    try {
      const { rows } = await allPages(async (offset) => {
        const page = await this.#engine.call('publish.publishers', { job: this.#job, offset, limit: pageSize });
        return { total: page.total, rows: page.publishers };
      });
      const now = { atMs: performance.now(), publishers: rows };
      this.rows = withRates(now, this.#before);
      this.#before = now;
      this.isLoaded = true;
      this.problem = undefined;
    } catch (error) {
      this.problem = errorText(error);
    }
    if (!this.#isDisposed) this.#timer = setTimeout(() => void this.#read(), refreshMs);
  }
}
