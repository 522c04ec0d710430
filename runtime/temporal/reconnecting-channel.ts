import { createRequire } from 'node:module';
import type { Connection } from '@temporalio/client';

type Channel = ReturnType<Connection['client']['getChannel']>;
type Open = (options: object) => Channel;
type Grpc = { Channel: new (address: string, credentials: object, options: object) => Channel };

/** gRPC's connectivity states. */
const IDLE = 0;
const READY = 2;
const SHUTDOWN = 4;

/** Milliseconds that an attempt to connect may take: MIN_CONNECT_TIMEOUT of gRPC's connection back-off. */
const PATIENCE = 20_000;
/** Milliseconds after many attempts: its MAX_BACKOFF. */
const MOST_PATIENCE = 120_000;

/**
 * Options of a connection that gives up an attempt to connect. `@grpc/grpc-js` waits for the first bytes of a server without
 * limit: if a proxy accepts the connection and then says nothing, as some do while the server behind them restarts, each
 * later request fails until the process ends (grpc-node, issue 2785).
 */
export function reconnecting(patience = PATIENCE) {
  return {
    channelFactoryOverride(address: string, credentials: object, options: object): Channel {
      // The SDK's own copy: its credentials are of no use to another one.
      const { Channel: GrpcChannel }: Grpc = createRequire(require.resolve('@temporalio/client'))('@grpc/grpc-js');
      return new ReconnectingChannel(
        (more) => new GrpcChannel(address, credentials, { ...options, ...more }),
        patience,
      );
    },
  };
}

/** A channel that is opened again when it has not been connected for too long. */
class ReconnectingChannel implements Channel {
  #channel: Channel;
  #patience: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly open: Open,
    private readonly shortest: number,
  ) {
    this.#patience = shortest;
    this.#channel = this.#opened();
  }

  createCall(...call: Parameters<Channel['createCall']>): ReturnType<Channel['createCall']> {
    return this.#channel.createCall(...call);
  }

  getConnectivityState(tryToConnect: boolean): ReturnType<Channel['getConnectivityState']> {
    return this.#channel.getConnectivityState(tryToConnect);
  }

  watchConnectivityState(...watch: Parameters<Channel['watchConnectivityState']>): void {
    this.#channel.watchConnectivityState(...watch);
  }

  getTarget(): string {
    return this.#channel.getTarget();
  }

  getChannelzRef(): ReturnType<Channel['getChannelzRef']> {
    return this.#channel.getChannelzRef();
  }

  close(): void {
    this.#settle();
    this.#channel.close();
  }

  /** The attempts of one channel are otherwise shared with all others to the same server, the new one included. */
  #opened(): Channel {
    const channel = this.open({ 'grpc.use_local_subchannel_pool': 1 });
    this.#follow(channel);
    return channel;
  }

  #follow(channel: Channel): void {
    const state = channel.getConnectivityState(false);
    if (state === READY) this.#patience = this.shortest;
    if (state === READY || state === IDLE || state === SHUTDOWN) this.#settle();
    else this.#timer ??= setTimeout(() => this.#openAgain(), this.#patience).unref();
    if (state === SHUTDOWN) return;
    channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, () => {
      if (channel === this.#channel) this.#follow(channel);
    });
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Requests that wait for the old channel fail as unavailable, and the client repeats them. */
  #openAgain(): void {
    const old = this.#channel;
    this.#timer = undefined;
    this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
    this.#channel = this.#opened();
    this.#channel.getConnectivityState(true);
    old.close();
  }
}
