import type { RunEvent } from '../model/run';

/** A user's note on a saved run, separate from the recorded events. */
export interface Annotation {
  /** Random: the same note in every copy of the run. */
  readonly uid: string;
  /** The time in the run that it refers to, Unix ms. */
  readonly timeMs: number;
  /** Display name; `you` if none is set. */
  readonly author: string;
  /** Random: the installation on which it was written; only that one may change it. */
  readonly writtenBy: string;
  readonly text: string;
  readonly writtenMs: number;
  /** When it was last changed or removed. */
  readonly editedMs?: number;
  /** Kept as a tombstone, so that an older copy does not restore it. */
  readonly isRemoved?: boolean;
}

/** First event number of annotations; recorded events have lower ones. */
const firstEventId = 1_000_000_000;

const changedMs = ({ writtenMs, editedMs }: Annotation): number => editedMs ?? writtenMs;

/** What `incoming` adds to `here`: new notes, and newer versions of known ones. Pure. */
export function newerAnnotations(
  here: readonly Annotation[],
  incoming: readonly Annotation[],
): { readonly added: readonly Annotation[]; readonly changed: readonly Annotation[] } {
  const known = new Map(here.map((annotation) => [annotation.uid, annotation]));
  return {
    // A tombstone of an unknown note shows nothing, but prevents an older copy from adding the note.
    added: incoming.filter(({ uid }) => !known.has(uid)),
    changed: incoming.filter((annotation) => {
      const old = known.get(annotation.uid);
      return old !== undefined && changedMs(annotation) > changedMs(old);
    }),
  };
}

/** As a row of the log and a mark in the charts; `number` is its position in the file. */
export function annotationEvent(
  { uid, timeMs, author, text, writtenMs, editedMs, writtenBy }: Annotation,
  number: number,
): RunEvent {
  return {
    id: firstEventId + number,
    timeMs,
    kind: 'note',
    mark: 'note',
    who: author,
    sentence: text,
    annotation: { uid, writtenMs, writtenBy, ...(editedMs === undefined ? {} : { editedMs }) },
  };
}

/** What a file added to an existing run, in one sentence. */
export function mergedText(added: number, changed: number): string {
  const notes = (count: number): string => `${count} ${count === 1 ? 'note' : 'notes'}`;
  const were = (count: number): string => (count === 1 ? 'was' : 'were');
  if (added === 0 && changed === 0) return 'This run already exists, and the file contains nothing new.';
  const parts = [
    ...(added > 0 ? [`${notes(added)} ${were(added)} added to`] : []),
    ...(changed > 0 ? [`${notes(changed)} ${were(changed)} changed in`] : []),
  ];
  return `${parts.join(' and ')} the existing run.`;
}
