/** `FULLHOUSE_OFFLINE=1` builds and packages the app without its updater. */
export const isOffline = process.env.FULLHOUSE_OFFLINE === '1';
