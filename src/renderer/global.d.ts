import type { ShellApi } from '../contract/shell';

declare global {
  interface Window {
    /** Put there by the preload. */
    readonly fullhouse: ShellApi;
  }
}
