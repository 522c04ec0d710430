import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { insideFolder } from './inside-folder';
import { createImageReader } from './read-image';

/** An MCP server that reads the text of pictures in one folder: node ocr-server.js <folder> */
async function main(root: string | undefined): Promise<void> {
  if (root === undefined) throw new Error('Usage: ocr-server <folder with pictures>');
  await insideFolder(root, '.').catch(() => {
    throw new Error(`There is no folder ${root}`);
  });

  const reader = createImageReader();
  const server = new McpServer({ name: 'ocr', version: '1.0.0' });
  server.registerTool(
    'extract_text_from_image',
    {
      title: 'Extract text from image',
      description: `Reads the text in a picture (PNG, JPEG, BMP or WebP) by OCR. The picture has to be in ${root}.`,
      inputSchema: { path: z.string().describe('Path of the picture') },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ path }) => {
      try {
        const text = await reader.read(await insideFolder(root, path));
        if (text === '') throw new Error('there is no text in it');
        return { content: [{ type: 'text', text }] };
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        return { isError: true, content: [{ type: 'text', text: `Cannot read ${path}: ${problem}` }] };
      }
    },
  );

  // The transport does not notice that its client is gone, and the server would live forever.
  process.stdin.once('close', () => {
    server
      .close()
      .then(() => reader.close())
      .finally(() => process.exit(0));
  });
  await server.connect(new StdioServerTransport());
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
