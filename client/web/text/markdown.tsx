import type { Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import { Fragment, memo, type ReactNode } from 'react';
import { visible } from '../../../agent/values/visible';
import { CopyButton } from './copy-button';
import { isSafeLink, isSafePicture } from './safe-address';
import { Scrolling } from './scrolling';

/** HTML in the source stays text: nothing here makes elements from strings. */
const parser = new MarkdownIt('default', { html: false, linkify: true, breaks: true, typographer: false });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
parser.validateLink = (address) => isSafeLink(address) || isSafePicture(address);

/** Text of a model, with Markdown. Hidden characters are shown. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="markdown">{elementsOf(parser.parse(visible(text), {}))}</div>;
});

interface Open {
  token: Token;
  children: ReactNode[];
}

function elementsOf(tokens: readonly Token[]): ReactNode[] {
  const root: ReactNode[] = [];
  const stack: Open[] = [];
  const add = (node: ReactNode) => {
    const to = stack.at(-1)?.children ?? root;
    to.push(<Fragment key={to.length}>{node}</Fragment>);
  };
  for (const token of tokens) {
    if (token.nesting === 1) stack.push({ token, children: [] });
    else if (token.nesting === -1) {
      const open = stack.pop();
      if (open !== undefined) add(open.token.hidden ? open.children : element(open.token, open.children));
    } else add(leaf(token));
  }
  return root;
}

function leaf(token: Token): ReactNode {
  switch (token.type) {
    case 'inline':
      return elementsOf(token.children ?? []);
    case 'softbreak':
    case 'hardbreak':
      return <br />;
    case 'code_inline':
      return <code>{token.content}</code>;
    case 'fence':
    case 'code_block':
      return <CodeBlock language={token.info.trim().split(/\s+/)[0] ?? ''} code={token.content} />;
    case 'hr':
      return <hr />;
    case 'image':
      return <Picture address={String(token.attrGet('src') ?? '')} text={token.content} />;
    default:
      return token.content;
  }
}

function element(token: Token, children: ReactNode[]): ReactNode {
  switch (token.type) {
    case 'paragraph_open':
      return <p>{children}</p>;
    // The page has headings of its own: those of an answer come below them.
    case 'heading_open':
      return <Heading level={Number(token.tag.slice(1))}>{children}</Heading>;
    case 'bullet_list_open':
      return <ul>{children}</ul>;
    case 'ordered_list_open':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>;
    case 'list_item_open':
      return <li>{children}</li>;
    case 'blockquote_open':
      return <blockquote>{children}</blockquote>;
    case 'strong_open':
      return <strong>{children}</strong>;
    case 'em_open':
      return <em>{children}</em>;
    case 's_open':
      return <s>{children}</s>;
    case 'link_open':
      return <Link address={String(token.attrGet('href') ?? '')}>{children}</Link>;
    case 'table_open':
      return (
        <Scrolling label="Table">
          <table>{children}</table>
        </Scrolling>
      );
    case 'thead_open':
      return <thead>{children}</thead>;
    case 'tbody_open':
      return <tbody>{children}</tbody>;
    case 'tr_open':
      return <tr>{children}</tr>;
    case 'th_open':
      return <th scope="col">{children}</th>;
    case 'td_open':
      return <td>{children}</td>;
    default:
      return children;
  }
}

function Heading({ level, children }: { level: number; children: ReactNode }) {
  const Tag = level === 1 ? 'h4' : level === 2 ? 'h5' : 'h6';
  return <Tag className="heading">{children}</Tag>;
}

function Link({ address, children }: { address: string; children: ReactNode }) {
  if (!isSafeLink(address)) return children;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" title={address}>
      {children}
    </a>
  );
}

function Picture({ address, text }: { address: string; text: string }) {
  if (isSafePicture(address)) return <img src={address} alt={text} />;
  return <Link address={address}>{`[picture${text === '' ? '' : `: ${text}`}]`}</Link>;
}

function CodeBlock({ language, code }: { language: string; code: string }) {
  return (
    <figure className="code">
      <figcaption>
        <span>{language}</span>
        <CopyButton text={code} />
      </figcaption>
      <Scrolling label="Code">
        <pre>
          <code>{code.replace(/\n$/, '')}</code>
        </pre>
      </Scrolling>
    </figure>
  );
}
