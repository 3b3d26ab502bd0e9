import { z } from 'zod';

/** Characters of an entry of the window. */
export const maxLogText = 20_000;

const nothing = z.strictObject({});
const done = z.object({ done: z.literal(true) });

/** Calls of the window about log, diagnostics and crashes. */
export const diagnosticsCalls = {
  /** Adds an entry to the log: a problem that was shown, or an error of the page. */
  'shell.log': {
    input: z.strictObject({ level: z.enum(['error', 'warn', 'info']), text: z.string().max(maxLogText) }),
    output: done,
  },
  /** Shows a save dialog, then writes log, versions, settings and nodes without secrets; null when cancelled. */
  'shell.saveDiagnostics': { input: nothing, output: z.object({ path: z.string(), bytes: z.number() }).nullable() },
  /** Shows the folder of crash files. */
  'shell.showCrashFiles': { input: nothing, output: done },
} as const;
