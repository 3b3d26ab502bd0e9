import { expect, it } from 'vitest';
import { sharedVariableFault, variableOf } from '../../domain/secrets/secretVariable';
import { SecretBox } from './secretBox';

it('reports what to store, and deletes empty secrets', () => {
  const box = new SecretBox();
  const kept: unknown[] = [];
  box.keep.on((each) => kept.push(each));
  box.change('a', { sshPassword: 'x', apiSecret: 'y' });
  box.change('a', { sshPassword: '' });
  box.change('a', {});
  expect(box.of('a')).toEqual({ apiSecret: 'y' });
  expect(box.kinds('a')).toEqual(['apiSecret']);
  expect(kept).toEqual([
    { node: 'a', secrets: { sshPassword: 'x', apiSecret: 'y' } },
    { node: 'a', secrets: { apiSecret: 'y' } },
  ]);
});

it('keeps a secret when its node is renamed, and deletes it with the node', () => {
  const box = new SecretBox();
  box.restore({ a: { httpPassword: 'x' } });
  box.rename('a', 'b');
  expect([box.of('a'), box.of('b')]).toEqual([{}, { httpPassword: 'x' }]);
  box.forget('b');
  expect(box.of('b')).toEqual({});
});

it('finds secrets in the environment by the name of the node', () => {
  expect(variableOf('tester-1', 'sshPassword')).toBe('FULLHOUSE_TESTER_1_SSH_PASSWORD');
  expect(new SecretBox({ FULLHOUSE_TESTER_1_SSH_PASSWORD: 'x' }).of('tester-1')).toEqual({
    sshPassword: 'x',
  });
});

it('has one variable for each name of a node, and names two that would share one', () => {
  expect(variableOf('Zürich', 'apiSecret')).toBe('FULLHOUSE_ZURICH_API_SECRET');
  expect(variableOf('東京-1', 'httpPassword')).toBe('FULLHOUSE_U6771U4EAC_1_HTTP_PASSWORD');
  expect(new Set(['कि', 'का', '한', 'ß', 'س'].map((node) => variableOf(node, 'sshPassword'))).size).toBe(5);
  expect(sharedVariableFault(['a-b', 'c', 'a_b'], 'a_b')).toBe(
    '"a_b" and "a-b" would read their secrets from the same variables (FULLHOUSE_A_B_SSH_PASSWORD); rename one of them.',
  );
  expect(sharedVariableFault(['zurich', 'Zürich'], 'Zürich')).toContain('FULLHOUSE_ZURICH_SSH_PASSWORD');
  expect(sharedVariableFault(['a-b', 'c', 'a_b'], 'a-b')).toBeUndefined();
});

it('resolves references: variables that it was given, and named secrets', () => {
  const environment = { PATH: '/bin', FULLHOUSE_SECRET_TOKEN: 'one', FULLHOUSE_OWN: 'two' };
  const app = new SecretBox(environment);
  expect(app.value({ kind: 'env', name: 'PATH' })).toBeUndefined();
  expect(app.value({ kind: 'env', name: 'FULLHOUSE_OWN' })).toBe('two');
  expect(app.value({ kind: 'secret', name: 'TOKEN' })).toBe('one');
  app.name('TOKEN', 'three');
  expect(app.value({ kind: 'secret', name: 'TOKEN' })).toBe('three');
  expect(new SecretBox(environment, environment).value({ kind: 'env', name: 'PATH' })).toBe('/bin');
});
