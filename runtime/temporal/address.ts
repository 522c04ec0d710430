/** What is expected of an address. */
export const EXPECTED_ADDRESS = 'Expected a host and a port, such as `localhost:7233`';

const ADDRESS = /^(?:\[[0-9a-f:.]+\]|[^\s:/@[\]]+)(?::(?<port>\d+))?$/i;

/** Whether a text is a host, with or without a port: a client would wait for a server at anything else. */
export function isAddress(text: string): boolean {
  const { port } = ADDRESS.exec(text)?.groups ?? { port: '0' };
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
}

/** As Temporal's SDK reads an address: without a port it is the usual one. */
export function withPort(address: string): string {
  return /^([^:]+|\[.+\])$/.test(address) ? `${address}:7233` : address;
}
