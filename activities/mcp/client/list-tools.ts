import type { Client } from '@modelcontextprotocol/client';
import type { McpTool } from '../open-server';
import { ServerFailure } from '../server-failure';
import { MAX_BYTES } from './traffic/message-size';

/** Pages of a list that are read: a list may have no end, or one tool on each page. */
const MAX_PAGES = 1000;
/** Bytes of a number, `true`, `false` or `null`, and of what JSON puts around other values. */
const VALUE = 4;
/** Milliseconds for all pages, or the time for one of them if that is longer: what starts a run has two minutes. */
const TIME = 60_000;

interface ListOptions {
  /** Milliseconds for each page. */
  timeout: number;
  /** Which tools are kept, by name. */
  wanted(tool: string): boolean;
}

/**
 * The tools of all pages: of those that are wanted, about as many bytes as one message may have. What is not wanted is
 * dropped with its page, so that a server may have any number of tools. A cursor that has come before ends the list.
 * @throws ServerFailure for a list that does not end, or is too large
 */
export class ToolList {
  readonly #takePage = new WeakMap<object, (page: Page) => void>();

  constructor(private readonly client: Client) {
    const request = client.request.bind(client) as (...args: unknown[]) => Promise<unknown>;
    // The client asks for one page after the other, with the options of the whole list.
    const paged = async (...args: unknown[]) => {
      const result = await request(...args);
      this.#takePage.get(Object(args[1]))?.(result as Page);
      return result;
    };
    client.request = paged as typeof client.request;
  }

  async read({ timeout, wanted }: ListOptions): Promise<McpTool[]> {
    const options = { timeout, cacheMode: 'bypass' as const };
    this.#takePage.set(options, pageTaker(wanted, Math.max(TIME, timeout)));
    return (await this.client.listTools(undefined, options)).tools;
  }
}

interface Page {
  tools: McpTool[];
  nextCursor?: string;
}

function pageTaker(wanted: ListOptions['wanted'], time: number): (page: Page) => void {
  const cursors = new Set<string>();
  const end = Date.now() + time;
  let bytes = 0;
  return (page) => {
    page.tools = page.tools.filter(({ name }) => wanted(name));
    bytes += weightOf(page.tools);
    if (bytes > MAX_BYTES) {
      const advice = 'name those that the agent needs in `tools` of this server';
      throw new ServerFailure(`its tools have more than ${MAX_BYTES / 1024 / 1024} MB`, { advice, lasting: true });
    }
    const { nextCursor: cursor } = page;
    if (cursor === undefined) return;
    if (cursors.has(cursor)) delete page.nextCursor;
    cursors.add(cursor);
    if (cursors.size >= MAX_PAGES) {
      const advice = 'have it list more tools on each page, and end the list';
      throw new ServerFailure(`its list of tools has more than ${MAX_PAGES} pages`, { advice, lasting: true });
    }
    if (Date.now() > end) throw new ServerFailure(`its list of tools did not end in ${time / 1000} s`);
  };
}

/** Without recursion, for which a tool may be nested too deep. */
function weightOf(value: unknown): number {
  let bytes = 0;
  for (const rest = [value]; rest.length > 0; ) {
    const one = rest.pop();
    bytes += VALUE;
    if (typeof one === 'string') bytes += one.length;
    if (typeof one !== 'object' || one === null) continue;
    for (const [key, held] of Object.entries(one)) {
      bytes += key.length;
      rest.push(held);
    }
  }
  return bytes;
}
