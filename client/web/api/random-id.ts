/** 128 random bits as text. `crypto.randomUUID` is missing where the page is served over plain HTTP to another machine. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
