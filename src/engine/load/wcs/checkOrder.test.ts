import { expect, it } from 'vitest';
import { portWarning } from './checkOrder';

it('warns of pulls that may get no port', () => {
  expect(portWarning(1000, undefined)).toBeUndefined();
  expect(portWarning(1001, undefined)).toMatch(/^It does not report its ports for pulls, .+ has 1,000; 1,001 pulls/);
  const ports = { free: 20, quarantine: 980 };
  expect(portWarning(20, ports)).toBeUndefined();
  expect(portWarning(1000, ports)).toMatch(/and 980 in quarantine .+ until the quarantined ports are free\.$/);
  expect(portWarning(1001, ports)).toMatch(/pulls without a port fail\./);
});
