import { Database } from './database';
import { checkSchema } from './schema';

/** Opens an existing run file, after a check of its schema. `name` is its display name. */
export function openRunFile(path: string, name: string): Database {
  const database = new Database(path);
  try {
    checkSchema(database, name);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
