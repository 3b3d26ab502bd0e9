import { z } from 'zod';

/**
 * To be called before any schema is used: zod otherwise compiles its parsers with `new Function`, which the content
 * security policy refuses.
 */
export const parseWithoutEval = (): void => void z.config({ jitless: true });
