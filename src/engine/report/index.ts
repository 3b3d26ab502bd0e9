/** Outputs derived from a run file, for users and programs without Fullhouse. */
export { csvHead, csvLines, writeCsv } from './csv';
export { writeHtml } from './html';
export { writeJunit } from './junit';
export { writeMarkdown } from './markdown';
export { writeSqlite } from './sqlite';
