/** Vite makes a class of a worker's file; `inline` because a page opened from a file may load no worker from one. */
declare module '*?worker&inline' {
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}
