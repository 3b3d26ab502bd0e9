/**
 * Imported before Electron's installer, which tells only "fetch failed": says on stderr what the network said.
 */
const { fetch } = globalThis;

globalThis.fetch = async (target, options) => {
  try {
    return await fetch(target, options);
  } catch (error) {
    // Several addresses that all failed come as one error without a message.
    const cause = error.cause?.errors?.[0] ?? error.cause;
    if (cause) console.error(`cause: ${cause.message || 'no message'} (${cause.code ?? cause.name})`);
    throw error;
  }
};
