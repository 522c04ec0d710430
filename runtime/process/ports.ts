import { type AddressInfo, createServer } from 'node:net';

/** Whether nothing listens on a port yet. */
export async function isFree(port: number, ip: string): Promise<boolean> {
  return (await listen(port, ip)) !== undefined;
}

/** A port that is free now, different from those of `except`. */
export async function freePort(ip: string, except: readonly number[] = []): Promise<number> {
  for (;;) {
    const port = await listen(0, ip);
    if (port === undefined) throw new Error(`No port of ${ip} can be listened on`);
    if (!except.includes(port)) return port;
  }
}

async function listen(port: number, ip: string): Promise<number | undefined> {
  const server = createServer();
  return new Promise((settle) => {
    server.once('error', () => settle(undefined));
    server.listen(port, ip, () => {
      const { port: got } = server.address() as AddressInfo;
      server.close(() => settle(got));
    });
  });
}
