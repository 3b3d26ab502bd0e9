import { expect, it } from 'vitest';
import { RecordGate } from './recordGate';

it('passes each record once', () => {
  const gate = new RecordGate();
  gate.greet('a', 1, 0);
  expect([1, 2, 2, 1, 3].map((sequence) => gate.admit(sequence).isNew)).toEqual([true, true, false, false, true]);
  expect(gate.resumeAfter).toBe(3);
});

it('reports the records that a reconnect was too late for', () => {
  const gate = new RecordGate();
  gate.greet('a', 1, 0);
  gate.admit(1);
  gate.admit(2);
  expect(gate.greet('a', 6, 0)).toEqual({ restart: false, lost: 3 });
  expect(gate.admit(6)).toEqual({ isNew: true, missing: 0 });
});

it('starts from 0 with a restarted agent', () => {
  const gate = new RecordGate();
  gate.greet('a', 1, 0);
  gate.admit(1);
  gate.admit(2);
  expect(gate.greet('b', 1, 0)).toEqual({ restart: true, lost: 0 });
  expect(gate.resumeAfter).toBe(0);
  expect(gate.greet('b', 1, 0)).toEqual({ restart: false, lost: 0 });
  expect(gate.admit(1).isNew).toBe(true);
});

it('begins with the next record of an agent that ran before, and resumes from there', () => {
  const gate = new RecordGate(true);
  expect(gate.resumeAfter).toBeUndefined();
  expect(gate.greet('a', 1, 40)).toEqual({ restart: false, lost: 0 });
  expect(gate.admit(12).isNew).toBe(false);
  expect(gate.admit(41)).toEqual({ isNew: true, missing: 0 });
  expect(gate.resumeAfter).toBe(41);
  expect(gate.greet('b', 1, 3)).toEqual({ restart: true, lost: 0 });
  expect(gate.resumeAfter).toBe(0);
});

it('resumes after the hello when the link breaks before the first record', () => {
  const gate = new RecordGate(true);
  gate.greet('a', 1, 40);
  expect(gate.resumeAfter).toBe(40);
  expect(gate.greet('a', 1, 45)).toEqual({ restart: false, lost: 0 });
  expect(gate.resumeAfter).toBe(40);
});

it('counts skipped sequence numbers', () => {
  const gate = new RecordGate();
  gate.greet('a', 1, 0);
  gate.admit(1);
  expect(gate.admit(4)).toEqual({ isNew: true, missing: 2 });
});
