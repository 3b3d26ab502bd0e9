/**
 * Programs that rules may run on a node, with exactly these arguments. Each is quick, reads only, and needs no root.
 */
export const commands = {
  java: ['java', '-version'],
  timedatectl: ['timedatectl', 'show'],
  chronyc: ['chronyc', '-n', 'tracking'],
  df: ['df', '-Pk'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

export type CommandName = keyof typeof commands;
