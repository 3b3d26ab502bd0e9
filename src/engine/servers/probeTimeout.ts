/**
 * How long a probe waits for one response, in ms. Over TLS the first response from a distant server takes four round
 * trips of 300 ms, plus its processing time. Each silent address costs this long.
 */
export const probeMs = 4000;
