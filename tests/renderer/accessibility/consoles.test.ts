import { inspectScreens } from './inspect';
import { consoleScreens } from './screens';

inspectScreens('consoles', consoleScreens);
