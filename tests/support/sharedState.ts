import { afterAll } from 'vitest';
import { takeSecretsFromVariables } from '../../src/engine/base/secretPlace';

/** Unit tests of several files share a process: what one of them chose for it does not hold for the next. */
afterAll(() => takeSecretsFromVariables(false));
