/**
 * Vite turns a worker's file into a class; `inline` because a page opened from a file cannot load a worker from one.
 */
declare module '*?worker&inline' {
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}
