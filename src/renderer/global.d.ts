import type { ShellApi } from '../contract/shell';

declare global {
  interface Window {
    /** Set by the preload script. */
    readonly fullhouse: ShellApi;
  }
}
