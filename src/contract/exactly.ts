import type { z } from 'zod';

type Plain<T> =
  T extends ReadonlyArray<infer Each>
    ? Array<Plain<Each>>
    : T extends object
      ? { -readonly [Key in keyof T]: Plain<T[Key]> }
      : T;

type IsSame<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

/**
 * The schema of a type of the domain: with all of its fields and no others. Annotating it with `z.ZodType<T>` is not
 * enough: that accepts a schema without one of the optional fields, which zod then drops from every value in silence.
 */
export const exactly =
  <T>() =>
  <Schema extends z.ZodType>(
    schema: IsSame<Plain<z.output<Schema>>, Plain<T>> extends true ? Schema : 'the schema differs from the type',
  ): z.ZodType<T, z.input<Schema>> =>
    schema as z.ZodType<T, z.input<Schema>>;
