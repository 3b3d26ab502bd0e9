import type { ShellApi } from '../contract/shell';

declare global {
  interface Window {
    /** Set by the preload script. */
    readonly fullhouse: ShellApi;
  }
}

/** A worker's script, bundled into one file; its address. */
declare module '*?worker&url' {
  const address: string;
  export default address;
}
