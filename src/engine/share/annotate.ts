import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import type { Annotation } from '../../domain/annotation';
import type { RunEvent, RunId } from '../../domain/run';
import type { RunLibrary } from '../store';
import { keepAnnotations, readAnnotations } from '../store/annotations';

/** Notes to kept runs: written here, changed here, told from those of others. */
export class Annotator {
  private known: string | undefined;

  constructor(
    private readonly library: RunLibrary,
    private readonly now: () => number,
  ) {}

  /** Keeps a note at a moment of the run. Throws `bad-note` when the moment lies outside of it. */
  write(
    run: RunId,
    note: { readonly text: string; readonly timeMs: number; readonly author?: string },
  ): RunEvent {
    const { startedMs, endedMs = this.now() } = this.library.summary(run);
    if (note.timeMs < startedMs || note.timeMs > endedMs)
      throw new FullhouseError(
        'bad-note',
        'This moment is not within the run; put the crosshair on it and try again.',
      );
    return this.keep(run, {
      uid: randomUUID(),
      timeMs: Math.round(note.timeMs),
      author: note.author ?? 'you',
      writtenBy: this.author,
      text: note.text,
      writtenMs: this.now(),
    });
  }

  edit(run: RunId, uid: string, text: string): RunEvent {
    const { isRemoved: _, ...note } = this.own(run, uid);
    return this.keep(run, { ...note, text, editedMs: this.changedMs(note) });
  }

  remove(run: RunId, uid: string): void {
    const note = this.own(run, uid);
    // Its words are gone from the file; the mark stays, so that it does not come back with an older copy.
    this.keep(run, { ...note, text: '', isRemoved: true, editedMs: this.changedMs(note) });
  }

  /** Events with the word on each note whether it may be changed here. */
  marked(events: readonly RunEvent[]): RunEvent[] {
    return events.map((event) =>
      event.annotation
        ? { ...event, annotation: { ...event.annotation, isOwn: event.annotation.writtenBy === this.author } }
        : event,
    );
  }

  /** Later than what it changes, whatever the clocks of two machines say. */
  private changedMs({ writtenMs, editedMs }: Annotation): number {
    return Math.max(this.now(), (editedMs ?? writtenMs) + 1);
  }

  private own(run: RunId, uid: string): Annotation {
    const note = this.library.withDatabase(run, readAnnotations).find((each) => each.uid === uid);
    if (!note) throw new FullhouseError('no-note', 'The run holds no such note any more.');
    if (note.writtenBy !== this.author)
      throw new FullhouseError(
        'not-yours',
        'Only who wrote a note can change it; add one of your own beside it.',
      );
    return note;
  }

  private keep(run: RunId, annotation: Annotation): RunEvent {
    const event = this.library.withDatabase(run, (database) => keepAnnotations(database, [annotation]));
    if (!event) throw new FullhouseError('run-not-written', 'The note was not kept; try again.');
    const [marked = event] = this.marked([event]);
    return marked;
  }

  /** Random, made when it is first needed, and the same for every run of this folder. */
  private get author(): string {
    if (this.known !== undefined) return this.known;
    const path = join(this.library.folder, '.author');
    if (!existsSync(path)) writeFileSync(path, randomUUID());
    this.known = readFileSync(path, 'utf8').trim();
    return this.known;
  }
}
