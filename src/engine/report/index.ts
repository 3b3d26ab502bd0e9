/** What is derived from a run file, for people and programs without Fullhouse. */
export { writeCsv } from './csv';
export { writeHtml } from './html';
