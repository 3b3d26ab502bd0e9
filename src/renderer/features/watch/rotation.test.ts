import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Rotation } from './rotation.svelte';

const one = { nodeId: 'fra-1', stream: 'cam' };
const two = { nodeId: 'ams-1', stream: 'lobby' };
const played: string[] = [];
const found: string[] = [];
let rotation: Rotation;

/** Seconds of a player. */
function pass(count: number, fault?: 'black'): void {
  for (let second = 0; second < count; second += 1) {
    rotation.add({ isPlaying: true, frameRate: 25, fault });
    vi.advanceTimersByTime(1000);
  }
}

describe('rotation of the control player', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    played.length = 0;
    found.length = 0;
    rotation = new Rotation(
      ({ stream }) => played.push(stream),
      ({ stream }, finding) => found.push(`${stream} ${finding}`),
    );
    rotation.everySeconds = 10;
  });
  afterEach(() => {
    rotation.stop();
    vi.useRealTimers();
  });

  it('plays each stream for its time, again and again', () => {
    rotation.start([one, two]);
    pass(25);
    expect(played).toEqual(['cam', 'lobby', 'cam']);
  });

  it('remembers what was wrong with each, until it is played again', () => {
    rotation.start([one, two]);
    pass(10, 'black');
    pass(10);
    expect(rotation.results.get('fra-1 cam')?.finding).toBe('black');
    expect(rotation.results.get('ams-1 lobby')?.finding).toBe('fine');
    expect(found).toEqual(['cam black', 'lobby fine']);
    pass(10);
    expect(rotation.results.get('fra-1 cam')?.finding).toBe('fine');
  });

  it('gives a stream its whole time when it starts anew', () => {
    rotation.start([one, two]);
    pass(5);
    rotation.start([two, one]);
    pass(8);
    expect(played).toEqual(['cam', 'lobby']);
    pass(2);
    expect(played).toEqual(['cam', 'lobby', 'cam']);
  });

  it('plays nothing more once it is stopped', () => {
    rotation.start([one, two]);
    rotation.stop();
    pass(30);
    expect(played).toEqual(['cam']);
    expect(rotation.results.size).toBe(0);
  });
});
