import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import type { Annotation } from '../../domain/run/annotation';
import type { RunEvent, RunId } from '../../domain/model/run';
import type { RunLibrary } from '../store';
import { saveAnnotations, readAnnotations } from '../store/annotations';

/** Notes to saved runs: added and edited here, marked as own or others'. */
export class Annotator {
  private known: string | undefined;

  constructor(
    private readonly library: RunLibrary,
    private readonly now: () => number,
  ) {}

  /** Saves a note at a time of the run. Throws `bad-note` when the time is outside of it. */
  write(run: RunId, note: { readonly text: string; readonly timeMs: number; readonly author?: string }): RunEvent {
    const { startedMs, endedMs = this.now() } = this.library.summary(run);
    if (note.timeMs < startedMs || note.timeMs > endedMs)
      throw new FullhouseError(
        'bad-note',
        'This time is not within the run; place the crosshair inside the run and try again.',
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
    // Its text is deleted from the file; the mark stays, so that an older copy does not bring it back.
    this.keep(run, { ...note, text: '', isRemoved: true, editedMs: this.changedMs(note) });
  }

  /** Events; each note is marked as editable here or not. */
  marked(events: readonly RunEvent[]): RunEvent[] {
    return events.map((event) =>
      event.annotation
        ? { ...event, annotation: { ...event.annotation, isOwn: event.annotation.writtenBy === this.author } }
        : event,
    );
  }

  /** Later than what it changes, even if the clocks of two machines differ. */
  private changedMs({ writtenMs, editedMs }: Annotation): number {
    return Math.max(this.now(), (editedMs ?? writtenMs) + 1);
  }

  private own(run: RunId, uid: string): Annotation {
    const note = this.library.withDatabase(run, readAnnotations).find((annotation) => annotation.uid === uid);
    if (!note) throw new FullhouseError('no-note', 'The run no longer contains this note.');
    if (note.writtenBy !== this.author)
      throw new FullhouseError('not-yours', 'Only its author can change a note; add your own note next to it.');
    return note;
  }

  private keep(run: RunId, annotation: Annotation): RunEvent {
    const event = this.library.change(run, `The note to run ${run} can't be saved`, (database) =>
      saveAnnotations(database, [annotation]),
    );
    if (!event) throw new FullhouseError('run-not-written', 'The note was not saved; try again.');
    const [marked = event] = this.marked([event]);
    return marked;
  }

  /** Random, created on first use, and the same for every run of this folder. */
  private get author(): string {
    if (this.known !== undefined) return this.known;
    const path = join(this.library.folder, '.author');
    if (!existsSync(path)) writeFileSync(path, randomUUID());
    this.known = readFileSync(path, 'utf8').trim();
    return this.known;
  }
}
