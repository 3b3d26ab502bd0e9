/** Set-up of each of vitest's workers: its own display, so that no app takes the focus from another one. */
const displays = process.env['FULLHOUSE_TEST_DISPLAYS']?.split(' ') ?? [];
const own = displays[(Number(process.env['VITEST_POOL_ID'] ?? 1) - 1) % displays.length];
if (own !== undefined) process.env['DISPLAY'] = own;
