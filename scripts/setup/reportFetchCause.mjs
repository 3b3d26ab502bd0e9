/**
 * Imported before Electron's installer, which prints only "fetch failed": prints the network's error on stderr.
 */
const { fetch } = globalThis;

globalThis.fetch = async (target, options) => {
  try {
    return await fetch(target, options);
  } catch (error) {
    // If several addresses failed, the error has no message.
    const cause = error.cause?.errors?.[0] ?? error.cause;
    if (cause) console.error(`cause: ${cause.message || 'no message'} (${cause.code ?? cause.name})`);
    throw error;
  }
};
