import { expect, it } from 'vitest';
import { isRefusal, isServerCause } from './failureCauses';

it('a viewer without the TURN server of its plan was refused by configuration, which no CPU explains', () => {
  expect(isServerCause({ stage: 'turn', cause: 'no-server' })).toBe(true);
  expect(isRefusal({ stage: 'turn', cause: 'no-server' })).toBe(true);
  expect(isRefusal({ stage: 'turn', cause: 'timeout' })).toBe(false);
});
