/** Names of options that changed; the old ones are not part of the help. */
const renamed = new Map([
  ['--most', '--max'],
  ['--look', '--list'],
]);

/** The arguments with current names of options, and one warning for each deprecated one. */
export function currentOptions(args: readonly string[]): {
  readonly args: readonly string[];
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [];
  const current = args.map((arg) => {
    const [name = ''] = arg.split('=', 1);
    const now = renamed.get(name);
    if (now === undefined) return arg;
    warnings.push(`${name} is deprecated. Use ${now}.`);
    return `${now}${arg.slice(name.length)}`;
  });
  return { args: current, warnings };
}
