import { agentLimits } from '../../../contract/agentLimits';
import type { ViewerRow, ViewerDetail } from '../../../contract/viewerSchemas';
import { detailedCount } from '../../../domain/run/detailedViewers';
import { allPages } from '../../client/allPages';
import type { WindowClient } from '../../client/connection';
import { errorText } from '../../../domain/text/errorText';

const pageSize = agentLimits.maxViewersListed;
const refreshMs = 2000;

/** Key of a viewer: its job and its number in it. */
export const viewerKey = ({ job, viewer }: Pick<ViewerRow, 'job' | 'viewer'>): string => `${job} ${viewer}`;

/** The viewers of a run with their figures, reloaded while the run is active; and the details of the selected one. */
export class ViewersList {
  rows = $state.raw<readonly ViewerRow[]>([]);
  total = $state(0);
  isLoaded = $state(false);
  problem = $state<string>();
  detail = $state.raw<ViewerDetail>();
  detailProblem = $state<string>();
  #openKey = $state<string>();
  /** The row whose details are shown, with its latest figures. */
  readonly open = $derived.by(() => this.rows.find((row) => viewerKey(row) === this.#openKey));
  readonly #engine: WindowClient;
  readonly #run: string;
  readonly #isLive: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDisposed = false;

  constructor(engine: WindowClient, run: string, isLive: boolean) {
    this.#engine = engine;
    this.#run = run;
    this.#isLive = isLive;
    void this.#read();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  /** Shows the details of a viewer; undefined closes them. */
  show(row: ViewerRow | undefined): void {
    this.#openKey = row && viewerKey(row);
    this.detail = row?.detail;
    this.detailProblem = undefined;
    if (row) void this.#readDetail(row);
  }

  async #readDetail(row: ViewerRow): Promise<void> {
    if (row.detail || row.state === 'waiting') return;
    const key = viewerKey(row);
    if (!this.#isLive) {
      this.detailProblem =
        `Details not saved. A run file contains those of its ${detailedCount.worst} worst ` +
        `and ${detailedCount.random} random viewers.`;
      return;
    }
    try {
      const { job, viewer } = row;
      const detail = await this.#engine.call('runs.viewer', { run: this.#run, job, viewer });
      if (key !== this.#openKey) return;
      this.detail = detail;
      this.detailProblem = undefined;
    } catch (error) {
      if (key === this.#openKey) this.detailProblem = errorText(error);
    }
  }

  async #read(): Promise<void> {
    try {
      const { total, rows } = await allPages(async (offset) => {
        const page = await this.#engine.call('runs.viewers', { run: this.#run, offset, limit: pageSize });
        return { total: page.total, rows: page.viewers };
      });
      this.total = total;
      this.rows = rows;
      this.problem = undefined;
      this.isLoaded = true;
      if (this.open) await this.#readDetail(this.open);
    } catch (error) {
      this.problem = errorText(error);
    }
    if (!this.#isDisposed && this.#isLive) this.#timer = setTimeout(() => void this.#read(), refreshMs);
  }
}
