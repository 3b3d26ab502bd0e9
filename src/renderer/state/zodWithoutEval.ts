import { z } from 'zod';

// Before any schema is made: zod compiles its parsers with `new Function`, which the content security policy refuses.
z.config({ jitless: true });
