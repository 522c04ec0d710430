import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between clients and a server, which does what networks and proxies do. */
export class Relay {
  /** Connections that it has accepted so far, and those of them in silence. */
  connections = 0;
  silent = 0;
  #state: 'open' | 'silent' | 'frozen' = 'open';
  #port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#accept(socket));

  private constructor(private readonly target: { host: string; port: number }) {}

  static async to(address: string): Promise<Relay> {
    const [host = '', port] = address.split(':');
    const relay = new Relay({ host, port: Number(port) });
    await relay.open();
    return relay;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Passes everything on again, also what has waited in frozen connections. */
  async open(): Promise<void> {
    this.#state = 'open';
    for (const socket of this.#sockets) socket.resume();
    await this.#listen();
  }

  /** Loses its connections, and passes new ones on. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  /** Loses its connections; new ones are accepted and get no answer, then and later. */
  async fallSilent(): Promise<void> {
    this.#state = 'silent';
    this.drop();
    await this.#listen();
  }

  /** Nothing comes through, and no side is told; new connections get no answer. */
  freeze(): void {
    this.#state = 'frozen';
    for (const socket of this.#sockets) socket.pause();
  }

  /** Loses its connections, and refuses new ones. */
  async refuse(): Promise<void> {
    this.drop();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #listen(): Promise<void> {
    if (this.#server.listening) return;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #accept(socket: Socket): void {
    this.connections++;
    this.#keep(socket);
    if (this.#state !== 'open') {
      this.silent++;
      return;
    }
    const further = connect(this.target);
    this.#keep(further);
    join(socket, further);
    join(further, socket);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
  }
}

/** Not with `pipe`, which would resume a paused stream by itself. */
function join(from: Socket, to: Socket): void {
  from.on('data', (chunk) => to.write(chunk));
  from.once('end', () => to.end()).once('close', () => to.destroy());
}
