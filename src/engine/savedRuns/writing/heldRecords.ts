import type { ViewerRow } from '../../../contract/viewerSchemas';
import type { RunEvent, RunView } from '../../../domain/model/run';
import type { Sample } from '../../../domain/series/series';
import { encodeHistogram } from '../../base/histogramBytes';
import { batchOf } from '../../base/samples';
import type { NewStill } from '../../store';
import { PendingSamples } from '../../store/pending';
import { requireStillSpace } from '../../store/checkedRecords';
import type { RunPiece } from './messages';

/** Samples in one message: a disk that takes them slowly is waited for no longer than this needs. */
const maxAtOnce = 20_000;

/** What belongs together until it is in the file. */
class Records {
  readonly samples = new PendingSamples();
  histograms: Array<RunPiece['histograms'][number]> = [];
  events: RunEvent[] = [];
  stills: Array<NewStill & { readonly id: number }> = [];
  viewers: ViewerRow[] = [];

  get isEmpty(): boolean {
    return this.samples.count + this.histograms.length + this.events.length + this.stills.length === 0;
  }

  get stillBytes(): number {
    return this.stills.reduce((sum, { data }) => sum + data.length, 0);
  }

  /** Adds those of another, which are later. */
  add(later: Records): void {
    this.samples.add(later.samples.first(later.samples.count));
    this.histograms.push(...later.histograms);
    this.events.push(...later.events);
    this.stills.push(...later.stills);
    this.viewers.push(...later.viewers);
  }
}

/** The records of a run that its file does not have yet: those that wait, and those sent but not saved. */
export class HeldRecords {
  private waiting = new Records();
  private sent = new Records();
  private view: RunView | undefined;
  private isViewSent = true;
  private isRepeat = false;

  /** Samples dropped for lack of memory. */
  get thinned(): number {
    return this.waiting.samples.thinned + this.sent.samples.thinned;
  }

  get isEmpty(): boolean {
    return this.waiting.isEmpty && this.waiting.viewers.length === 0 && this.isViewSent;
  }

  addSamples(samples: readonly Sample[]): void {
    this.waiting.samples.add(samples);
  }

  addHistogram(row: Parameters<typeof encoded>[0]): void {
    this.waiting.histograms.push(encoded(row));
  }

  addEvent(event: RunEvent): void {
    this.waiting.events.push(event);
  }

  /** Throws a sentence when too many wait. */
  addStill(still: NewStill & { readonly id: number }): void {
    requireStillSpace(this.waiting.stillBytes + this.sent.stillBytes + still.data.length);
    this.waiting.stills.push(still);
  }

  addViewers(rows: readonly ViewerRow[]): void {
    this.waiting.viewers.push(...rows);
  }

  setView(view: RunView): void {
    this.view = view;
    this.isViewSent = false;
  }

  /** The next piece; it stays held until `saved`. */
  take(): RunPiece {
    const { waiting } = this;
    const samples = waiting.samples.first(maxAtOnce);
    const next = new Records();
    next.samples.add(samples);
    const { histograms, events, stills, viewers } = waiting;
    Object.assign(next, { histograms, events, stills, viewers });
    this.sent.add(next);
    Object.assign(waiting, { histograms: [], events: [], stills: [], viewers: [] });
    waiting.samples.drop(samples.length);
    const view = this.isViewSent ? undefined : this.view;
    this.isViewSent = true;
    return { ...{ histograms, events, stills, viewers, view }, samples: batchOf(samples), isRepeat: this.isRepeat };
  }

  /** The file has all that was sent. */
  saved(): void {
    this.sent = new Records();
    this.isRepeat = false;
  }

  /** What was sent and not saved waits again: its process ended, or does not answer. */
  giveBack(): void {
    this.sent.add(this.waiting);
    this.waiting = this.sent;
    this.sent = new Records();
    this.isViewSent = this.view === undefined;
    this.isRepeat = true;
  }
}

/** Histograms are merged by those who own them: what is saved is their content now. */
function encoded({
  histogram,
  ...row
}: Omit<RunPiece['histograms'][number], 'bytes'> & {
  readonly histogram: Parameters<typeof encodeHistogram>[0];
}): RunPiece['histograms'][number] {
  return { ...row, bytes: encodeHistogram(histogram) };
}
