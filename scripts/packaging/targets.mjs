/** Packages that scripts/packaging makes with the system's tools. */
export const systemTargets = ['deb', 'rpm', 'tar.gz'];

/**
 * The packages that a command line asks for: `--linux deb rpm`, or those of electron.builder.yml.
 * @param {readonly string[]} args of `npm run package`
 * @param {readonly string[]} usual
 */
export function targetsOf(args, usual) {
  if (args.includes('--dir')) return [];
  const at = args.findIndex((arg) => ['--linux', '-l'].includes(arg));
  const rest = at < 0 ? [] : args.slice(at + 1);
  const end = rest.findIndex((arg) => arg.startsWith('-'));
  const named = end < 0 ? rest : rest.slice(0, end);
  return named.length > 0 ? named : [...usual];
}
