import { expect, it } from 'vitest';
import { parseCommand } from './args';
import { currentOptions } from './deprecatedOptions';

it.each([
  [
    ['estimate', '--plan', 'p.yaml', '--most', '40'],
    ['estimate', '--plan', 'p.yaml', '--max', '40'],
    '--most is deprecated. Use --max.',
  ],
  [
    ['import-prometheus', '--prometheus', 'http://p:9090', '--look'],
    ['import-prometheus', '--prometheus', 'http://p:9090', '--list'],
    '--look is deprecated. Use --list.',
  ],
  [['estimate', '--most=40'], ['estimate', '--max=40'], '--most is deprecated. Use --max.'],
])('reads %j by the current name of the option, with a warning', (old, current, warning) => {
  expect(currentOptions(old)).toEqual({ args: current, warnings: [warning] });
});

it('leaves current options unchanged', () => {
  const args = ['estimate', '--plan', 'p.yaml', '--max', '40'];
  expect(currentOptions(args)).toEqual({ args, warnings: [] });
  expect(parseCommand(args)).toMatchObject({ max: 40 });
});
