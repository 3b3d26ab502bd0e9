/**
 * How long a look waits for one answer, in ms. Over TLS the first answer of a server at the other side of the world takes four round
 * trips of 300 ms, and a busy one thinks before it speaks; whoever is silent costs a look this long.
 */
export const lookMs = 4000;
