import { expect, it } from 'vitest';
import { typedPassword, withoutPassword } from './typedPassword';

it.each([
  ['http://admin:secret@10.0.0.7:8081/x?y=a:b@c', 'http://10.0.0.7:8081/x?y=a:b@c', 'admin', 'secret', 'api'],
  ['rtmp://u:p%40ss@host/live', 'rtmp://host/live', 'u', 'p@ss', 'api'],
  ['https://u:100%@host', 'https://host', 'u', '100%', 'api'],
  ['qa:secret@box', 'qa@box', 'qa', 'secret', 'ssh'],
  ['qa:p@ss:word@box:2222', 'qa@box:2222', 'qa', 'p@ss:word', 'ssh'],
  ['ssh://qa:secret@box', 'ssh://qa@box', 'qa', 'secret', 'ssh'],
  ['http://:secret@host', 'http://host', '', 'secret', 'api'],
  ['qa:secret@', 'qa@', 'qa', 'secret', 'ssh'],
] as const)('extracts the password from %s', (typed, address, user, password, kind) => {
  expect(typedPassword(typed)).toEqual({ address, user, password, kind });
  expect(withoutPassword(typed)).toBe(address);
});

it.each(['10.0.0.7:8080', 'qa@box:2222', 'http://host:80/a@b', 'http://user@host', 'fe80::1', 'qa@[fe80::1]:22', ''])(
  'finds no password in %s',
  (typed) => expect(typedPassword(typed)).toBeUndefined(),
);
