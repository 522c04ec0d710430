import { connect, createServer, type Socket } from 'node:net';

/** One address for several servers: connections go round, past those that are down. */
export async function roundRobin(ports: readonly number[]): Promise<{ url: string; close(): Promise<void> }> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    open.add(caller);
    caller.on('error', () => undefined);
    caller.on('close', () => open.delete(caller));
    const first = turn++;
    const reach = (tries: number) => {
      const port = ports[(first + tries) % ports.length];
      if (port === undefined || tries === ports.length) return caller.destroy();
      const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      let connected = false;
      server.on('error', () => {
        if (!connected) reach(tries + 1);
      });
      server.once('connect', () => {
        connected = true;
        caller.pipe(server).pipe(caller);
        caller.once('close', () => server.destroy());
        server.once('close', () => caller.destroy());
      });
      return undefined;
    };
    reach(0);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of open) socket.destroy();
      }),
  };
}
