import type { RunEvent } from './run';

/** A note that somebody has written to a kept run, apart from what was recorded. */
export interface Annotation {
  /** Random: the same note in every copy of the run. */
  readonly uid: string;
  /** The moment of the run that it speaks of, Unix ms. */
  readonly timeMs: number;
  /** Name for people; `you` where nobody has given one. */
  readonly author: string;
  /** Random: the installation that it was written on, which alone may change it. */
  readonly writtenBy: string;
  readonly text: string;
  readonly writtenMs: number;
  /** When it was changed or removed last. */
  readonly editedMs?: number;
  /** It stays as an empty mark, so that it does not come back with an older copy. */
  readonly isRemoved?: boolean;
}

/** Numbers of annotations among a run's events begin here: no recorded event has one. */
const firstEventId = 1_000_000_000;

const changedMs = ({ writtenMs, editedMs }: Annotation): number => editedMs ?? writtenMs;

/** What `incoming` knows that `here` does not: new notes, and newer wordings of known ones. Pure. */
export function newerAnnotations(
  here: readonly Annotation[],
  incoming: readonly Annotation[],
): { readonly added: readonly Annotation[]; readonly changed: readonly Annotation[] } {
  const known = new Map(here.map((annotation) => [annotation.uid, annotation]));
  return {
    // A mark of a note that was never here tells nothing yet, but keeps it from coming with an older copy.
    added: incoming.filter(({ uid }) => !known.has(uid)),
    changed: incoming.filter((each) => {
      const old = known.get(each.uid);
      return old !== undefined && changedMs(each) > changedMs(old);
    }),
  };
}

/** As a row of the log and a mark in the charts; `number` is its place in the file. */
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

/** What came of a file whose run was here already, in one sentence. */
export function mergedText(added: number, changed: number): string {
  const notes = (count: number): string => `${count} ${count === 1 ? 'note' : 'notes'}`;
  const were = (count: number): string => (count === 1 ? 'was' : 'were');
  if (added === 0 && changed === 0) return 'This run is already here, and the file holds nothing new.';
  const parts = [
    ...(added > 0 ? [`${notes(added)} ${were(added)} added to`] : []),
    ...(changed > 0 ? [`${notes(changed)} ${were(changed)} changed in`] : []),
  ];
  return `${parts.join(' and ')} the run that is already here.`;
}
