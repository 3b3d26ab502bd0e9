import { inspectScreens } from './inspect';
import { dialogScreens } from './screens';

inspectScreens('dialogs', dialogScreens);
