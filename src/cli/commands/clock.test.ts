import { describe, expect, it } from 'vitest';
import { typedCommand } from '../../../tests/support/typedCommand';

describe('fullhouse clock', () => {
  it('serves on this machine by default, elsewhere if asked to', () => {
    expect(typedCommand(['clock'])).toMatchObject({ address: '127.0.0.1', port: 0 });
    expect(typedCommand(['clock', '--listen', '0.0.0.0:8090'])).toMatchObject({ address: '0.0.0.0', port: 8090 });
    expect(typedCommand(['clock', '--listen', '[::1]:8090'])).toMatchObject({ address: '::1', port: 8090 });
  });

  it('reads photos', () => {
    expect(typedCommand(['clock', 'read', 'a.jpg', 'b.png'])).toMatchObject({ files: ['a.jpg', 'b.png'] });
  });

  it.each([
    [['clock', '--listen', '8090'], '--listen "8090" is not an address and a port'],
    [['clock', '--listen', '127.0.0.1:70000'], 'is not an address and a port'],
    [['clock', 'write'], 'Unexpected argument "write"'],
    [['clock', 'read'], 'Missing FILE'],
    [['clock', 'read', 'a.jpg', '--listen', '127.0.0.1:1'], '--listen is for serving'],
  ])('refuses %j', (args, sentence) => {
    expect(() => typedCommand(args)).toThrow(sentence);
  });
});
