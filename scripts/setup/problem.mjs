/** A problem that the user can fix; the message states how. Printed without a stack trace. */
export class SetupProblem extends Error {
  name = 'SetupProblem';
}

/**
 * Runs a script's main function: a `SetupProblem` prints its message and exits with 1, other errors keep their stack
 * trace.
 */
export async function runScript(main) {
  try {
    const code = await main();
    if (typeof code === 'number') process.exitCode = code;
  } catch (error) {
    console.error(error instanceof SetupProblem ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
