import { expect, it } from 'vitest';
import { logLine, readLogLine } from './logLines';

it('reads the lines that it writes', () => {
  expect(readLogLine(logLine('warn', 'SSH to a: lost.').trimEnd())).toEqual({ level: 'warn', text: 'SSH to a: lost.' });
});

it('indents further lines of an entry', () => {
  expect(logLine('error', 'Error: x\n    at y\n')).toBe('[error] Error: x\n      at y\n');
});

it('keeps foreign lines as they are', () => {
  expect(readLogLine('[fatal] x')).toEqual({ level: undefined, text: '[fatal] x' });
  expect(readLogLine('    at y')).toEqual({ level: undefined, text: '    at y' });
});
