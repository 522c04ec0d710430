import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DOCS, PAGES, proseOf, ROOT, readPage, titlesOf } from './pages';

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
const links = PAGES.flatMap((page) => [...proseOf(page).matchAll(LINK)].map(([, to = '']) => ({ page, to })));
const local = links.filter(({ to }) => !/^https?:/.test(to));
/** Pages outside `docs/`. */
const ENTRANCES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('README.md'))
    .map((path) => join('examples', path)),
];

/** The anchor that GitHub makes of a title. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-');
}

it.each(local)('$page leads to $to', ({ page, to }) => {
  const [path = '', hash] = to.split('#');
  const target = path === '' ? join(DOCS, page) : join(DOCS, dirname(page), path);
  expect(existsSync(target)).toBe(true);
  if (hash === undefined) return;
  expect(titlesOf(relative(DOCS, target)).map(({ title }) => anchor(title))).toContain(hash);
});

it.each(ENTRANCES)('links of %s lead to files and titles', (path) => {
  const folder = dirname(join(ROOT, path));
  const prose = readFileSync(join(ROOT, path), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  const links = [...prose.matchAll(LINK)].map(([, to = '']) => to).filter((to) => !/^(https?:|#)/.test(to));
  const broken = links.filter((to) => {
    const [file = '', hash] = to.split('#');
    const target = join(folder, file);
    if (!existsSync(target) || hash === undefined) return !existsSync(target);
    return !titlesOf(relative(DOCS, target)).some(({ title }) => anchor(title) === hash);
  });
  expect(broken).toEqual([]);
});

it('docs/README.md leads to every page', () => {
  const named = local.filter(({ page }) => page === 'README.md').map(({ to }) => to.split('#')[0]);
  expect(PAGES.filter((page) => page !== 'README.md' && !named.includes(page))).toEqual([]);
});

it('pictures are small and each is used', () => {
  const pictures = local.filter(({ to }) => to.endsWith('.png'));
  expect(pictures.length).toBeGreaterThan(3);
  for (const { page, to } of pictures) expect(statSync(join(DOCS, dirname(page), to)).size).toBeLessThan(150_000);
});

it('no page has a leftover marker', () => {
  for (const page of PAGES) expect(readPage(page)).not.toMatch(/TODO|FIXME|XXX/);
});
