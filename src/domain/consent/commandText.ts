import { quoted } from '../text/quoted';

/** A program and its arguments, each quoted: nothing can hide in it. */
export const commandText = (command: readonly string[]): string => command.map(quoted).join(' ');
