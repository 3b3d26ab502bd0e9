import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { BudgetExceeded } from '../../domain/budget/budget';

/**
 * The text of a file that a plan or a person names, which may be anything: a device without an end, or a pipe. Throws
 * the system's error, or a `BudgetExceeded`.
 */
export function readBoundedFile(path: string, maxBytes: number): string {
  const file = openSync(path, nonBlocking);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: 'not a file' });
    if (stat.size > maxBytes) throw new BudgetExceeded(path, maxBytes, 'bytes');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Opening a pipe waits for its writer otherwise. */
const nonBlocking = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
