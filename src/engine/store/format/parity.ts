import type { z } from 'zod';
import type { Immutable } from '../../../domain/model/schema';
import type { ViewerRow } from '../../../contract/viewerSchemas';
import type { Annotation } from '../../../domain/run/annotation';
import type { RunEvent, RunSummary, RunView } from '../../../domain/model/run';
import type { SeriesSummary } from '../../../domain/charts/seriesTable';
import type { savedAnnotation, savedEvent, savedFigures, savedViewer } from './rows';
import type { savedSummary, savedView } from './run';

/**
 * Saved shapes without a schema in `domain/model` are declared separately from those that the processes exchange. zod silently
 * drops a field that a schema lacks, so a field or value that only one side has does not compile here; the error names
 * its path. To fix it, change the saved shape, with a step for older files if the change is not a new optional field
 * (`steps.ts`), or map it where runs are read and written.
 */
interface Difference<Saved, Product> {
  readonly field: Exclude<Path<Saved>, Path<Product>> | Exclude<Path<Product>, Path<Saved>>;
  readonly value: [Saved, Product] extends [Product, Immutable<Saved>] ? never : 'differs';
}
type Same<T extends { readonly field: never; readonly value: never }> = T;

/** Every field below an object, e.g. `plan.pull.protocol`; items of lists have the path of the list. */
type Path<T> = T extends readonly (infer Item)[]
  ? Path<Item>
  : T extends object
    ? { [Key in keyof T & string]-?: Key | `${Key}.${Path<T[Key]>}` }[keyof T & string]
    : never;

export type Parity = [
  // Integrity and annotations are added when a run is read.
  Same<Difference<z.infer<typeof savedView>, Omit<RunView, 'integrity'>>>,
  Same<Difference<z.infer<typeof savedSummary>, RunSummary>>,
  Same<Difference<z.infer<typeof savedEvent>, Omit<RunEvent, 'annotation'>>>,
  Same<Difference<z.infer<typeof savedViewer>, ViewerRow>>,
  Same<Difference<z.infer<typeof savedAnnotation>, Annotation>>,
  Same<Difference<z.infer<typeof savedFigures>, readonly SeriesSummary[]>>,
];
