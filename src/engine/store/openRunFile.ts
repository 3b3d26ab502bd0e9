import { Database } from './database';
import { checkSchema } from './schema';

/** Opens a run file that exists, after a look at its schema. `name` is what people call it. */
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
