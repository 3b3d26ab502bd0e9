import type { EngineClient } from '../../../contract/calls';
import type { CallOutput, EngineCallName } from '../../../contract/engine';
import type { StreamSortKey } from '../../../contract/nodeCalls';
import type { StreamView } from '../../../domain/model/node';
import { firstDirection } from '../../parts/streams/streamColumns';
import { covers, type RowRange, rowsToRequest } from '../../ui/rowWindow';
import { errorText } from '../../../domain/text/errorText';

type StreamEngine = Pick<EngineClient<EngineCallName>, 'call'>;
type Answer = CallOutput<'nodes.streams'>;

const intervalMs = 1000;

/**
 * The streams of a node, windowed: the engine sorts and filters, only rows near the visible ones are requested, once a
 * second and when scrolling leaves the loaded rows. One request at a time: a slow engine skips ticks.
 */
export class StreamList {
  filter = $state('');
  sortBy = $state<StreamSortKey>('viewers');
  isDescending = $state(true);
  total = $state(0);
  matching = $state(0);
  held = $state.raw<LoadedStreams>({ offset: 0, streams: [] });
  /** A response for the current filter and order has arrived. */
  isLoaded = $state(false);
  /** Why the last request failed; the rows shown are those of the last response. */
  problem = $state<string>();
  chosen = $state.raw<Chosen>();

  readonly #engine: StreamEngine;
  readonly #node: string;
  #wanted: RowRange = { first: 0, count: 32 };
  #askedFirst = 0;
  #isAsking = false;
  #isRequestPending = false;
  #question = 0;
  #isHeld = false;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    engine: StreamEngine,
    node: string,
    /** The rows stand still. */
    private readonly isPaused: () => boolean = () => false,
  ) {
    this.#engine = engine;
    this.#node = node;
  }

  start(): void {
    void this.#request();
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /** The rows in the DOM have changed. */
  show(range: RowRange): void {
    this.#wanted = range;
    const held = { first: this.held.offset, count: this.held.streams.length };
    if (this.isLoaded && !covers(held, range, this.matching)) void this.#request();
  }

  find(filter: string): void {
    this.filter = filter;
    this.#restart();
  }

  sort(column: StreamSortKey): void {
    this.isDescending = this.sortBy === column ? !this.isDescending : firstDirection(column) === 'down';
    this.sortBy = column;
    this.#restart();
  }

  /** Requests immediately, e.g. after streams were terminated. */
  refresh(): void {
    void this.#request();
  }

  /** While held, figures update but rows keep their positions, so the user can't hit another stream than intended. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    if (!isHeld) void this.#request();
  }

  at(index: number): StreamView | undefined {
    return this.held.streams[index - this.held.offset];
  }

  choose(index: number): void {
    this.chosen = { index, stream: this.at(index)?.stream };
  }

  #restart(): void {
    this.#question += 1;
    void this.#request();
  }

  async #request(): Promise<void> {
    if (this.#isAsking) {
      this.#isRequestPending = true;
      return;
    }
    this.#isAsking = true;
    this.#isRequestPending = false;
    clearTimeout(this.#timer);
    const question = this.#question;
    const rows = rowsToRequest(this.#wanted, this.#wanted.first - this.#askedFirst);
    this.#askedFirst = this.#wanted.first;
    try {
      const answer = await this.#engine.call('nodes.streams', {
        node: this.#node,
        filter: this.filter.trim(),
        sortBy: this.sortBy,
        descending: this.isDescending,
        ...rows,
      });
      // Ignore a response from before the filter changed; the next is pending.
      if (question === this.#question) this.#take(answer, rows.offset);
    } catch (error) {
      this.problem = errorText(error);
    }
    this.#isAsking = false;
    if (this.#isOver) return;
    if (this.#isRequestPending) void this.#request();
    else this.#schedule();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      if (this.isPaused()) this.#schedule();
      else void this.#request();
    }, intervalMs);
  }

  #take(answer: Answer, offset: number): void {
    this.problem = undefined;
    this.isLoaded = true;
    this.total = answer.total;
    if (this.#isHeld) {
      this.held = { ...this.held, streams: inPlace(this.held.streams, answer.streams) };
      return;
    }
    this.matching = answer.matching;
    this.held = { offset, streams: answer.streams };
    this.chosen = keepSelection(this.chosen, this.held, answer.matching);
  }
}

/** The rows of the last response; the first one is at `offset` of the full list. */
interface LoadedStreams {
  readonly offset: number;
  readonly streams: readonly StreamView[];
}

/** The chosen row: by its stream, independent of the order, and its last position. */
interface Chosen {
  readonly index: number;
  /** Unknown while the row is loading. */
  readonly stream?: string;
}

/** The chosen row after a response: at its new position, named once known, removed with its stream. */
function keepSelection(chosen: Chosen | undefined, held: LoadedStreams, matching: number): Chosen | undefined {
  if (!chosen) return undefined;
  if (chosen.stream === undefined) return { ...chosen, stream: held.streams[chosen.index - held.offset]?.stream };
  const at = held.streams.findIndex(({ stream }) => stream === chosen.stream);
  if (at >= 0) return { index: held.offset + at, stream: chosen.stream };
  return held.streams.length === matching ? undefined : chosen;
}

/** The rows in their previous order with new figures. */
function inPlace(old: readonly StreamView[], answer: readonly StreamView[]): readonly StreamView[] {
  const now = new Map(answer.map((stream) => [stream.stream, stream]));
  return old.map((stream) => now.get(stream.stream) ?? stream);
}
