import { call, type ModelServer, serveModel, text } from 'holdfast/testing';

/** Plays a model for any number of conversations: it looks the order up, and says what it found. */
export function startModel(): Promise<ModelServer> {
  return serveModel(({ messages }) => {
    const last = messages.at(-1);
    const said = String(last?.content);
    return last?.role === 'tool' ? text(said) : call('find_order', { id: said.replace(/^Where is order /, '') });
  });
}
