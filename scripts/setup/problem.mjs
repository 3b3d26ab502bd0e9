/** Something that the person at the keyboard can mend; the message says how. It is shown without a stack. */
export class SetupProblem extends Error {
  name = 'SetupProblem';
}

/** Runs a script's main function: a `SetupProblem` becomes its sentence and exit code 1, anything else keeps its stack. */
export async function runScript(main) {
  try {
    const code = await main();
    if (typeof code === 'number') process.exitCode = code;
  } catch (error) {
    console.error(error instanceof SetupProblem ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
