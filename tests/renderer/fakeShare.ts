import { FullhouseError, type Handlers } from '../../src/contract/calls';
import type { snapshotCalls } from '../../src/contract/snapshotCalls';
import {
  eventShape,
  findIdentifying,
  metaShapes,
  previewOf,
  stillShape,
  viewShape,
  type PartOfRun,
} from '../../src/domain/redaction';
import type { RunEvent } from '../../src/domain/model/run';
import { customerView } from '../integration/servers/customerRun';

/** Identifying data in a fake customer's run, detected by the real rules. */
function customerParts(events: readonly RunEvent[]): PartOfRun[] {
  const view = customerView('2026-11-22-acme-abc234');
  const ofView = (['plan', 'nodes', 'failures', 'verdict', 'preflight'] as const).map((part): PartOfRun => ({
    part,
    value: view[part],
    shape: viewShape.fields[part] ?? 'foreign',
  }));
  return [
    ...ofView,
    { part: 'events', value: events, shape: eventShape },
    { part: 'rest', value: { tags: ['season opener'] }, shape: metaShapes['kept'] ?? 'foreign' },
    { part: 'stills', value: [{ id: 1, cause: 'stall 0.8 s' }], shape: stillShape },
  ];
}

/** Notes to a saved run; `events` are all its events in the fake engine. */
export function snapshotHandlers(events: RunEvent[]): Handlers<keyof typeof snapshotCalls> {
  const find = (uid: string): number => {
    const place = events.findIndex(({ annotation }) => annotation?.uid === uid);
    if (place < 0) throw new FullhouseError('no-note', 'The run no longer contains this note.');
    return place;
  };
  return {
    'snapshot.preview': () => {
      const parts = customerParts(events);
      return { values: previewOf(parts, findIdentifying(parts)) };
    },
    'notes.edit': ({ uid, text }) => {
      const place = find(uid);
      const event = { ...(events[place] as RunEvent), sentence: text };
      events[place] = event;
      return event;
    },
    'notes.remove': ({ uid }) => {
      find(uid);
      return { done: true };
    },
  };
}

/** A note as the engine returns it: on a saved run it is an annotation. */
export function noteEvent(note: {
  readonly id: number;
  readonly text: string;
  readonly timeMs: number;
  readonly author?: string;
  readonly isKept: boolean;
}): RunEvent {
  return {
    id: note.id,
    timeMs: note.timeMs,
    kind: 'note',
    mark: 'note',
    who: note.author ?? 'you',
    sentence: note.text,
    ...(note.isKept
      ? {
          annotation: {
            uid: `note-${note.id}`,
            writtenMs: note.timeMs + 86_400_000,
            writtenBy: 'here',
            isOwn: true,
          },
        }
      : {}),
  };
}
