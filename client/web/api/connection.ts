import { createStore } from './store';

/** Whether the server answers, and whether it knows the token. */
export type Connection = 'connected' | 'away' | 'unauthorized';

export const connection = createStore<Connection>('connected');
