import { join } from 'node:path';
import { app } from 'electron';
import { runCompiled } from '../engine/base/compiledCode';
import { variable } from '../engine/base/variables';

/** The app's first script: only what finds the compiled code of the others (`index.ts`). */

app.setName('Fullhouse');
app.setPath('userData', variable('FULLHOUSE_DATA') ?? join(app.getPath('appData'), 'Fullhouse'));
runCompiled(join(__dirname, 'app.js'), join(app.getPath('userData'), 'code'));
