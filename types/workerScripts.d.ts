/** A worker's script, bundled into one file; its address. */
declare module '*?worker&url' {
  const address: string;
  export default address;
}
