import { join } from 'node:path';
import { runCompiled } from './base/compiledCode';

/** First script of the engine's process; the options of `utility.ts` name the folder of compiled code. */
const { codeFolder } = JSON.parse(process.argv[process.argv.length - 1] ?? '{}') as { readonly codeFolder: string };
runCompiled(join(__dirname, 'engineProgram.js'), codeFolder);
