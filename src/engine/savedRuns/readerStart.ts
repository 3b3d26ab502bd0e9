import { join } from 'node:path';
import { runCompiled } from '../base/compiledCode';

/** First script of a reader that the app starts; its last argument is the folder of compiled code. */
runCompiled(join(__dirname, 'runReaderProgram.js'), process.argv[process.argv.length - 1] ?? '');
