import { homedir } from 'node:os';

/** A path as typed: `~` is the home folder. */
export const expanded = (path: string): string => path.replace(/^~(?=[/\\])/, homedir());
