/** Pieces of a window as SVG, from which every scene is made. */

export const WIDTH = 800;
export const HEIGHT = 500;

const INK = '#1d2129';

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One line of text; `x`, `y` is the start of its baseline. */
export function text(x, y, content, { size = 16, weight = 400, fill = INK, anchor = 'start' } = {}) {
  return `<text x="${x}" y="${y}" font-family="Inter" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

/** Lines of text below one another. */
export function lines(x, y, contents, { step = 28, ...style } = {}) {
  return contents.map((content, i) => text(x, y + i * step, content, style)).join('');
}

export function box(x, y, width, height, fill, { radius = 0, stroke } = {}) {
  const edge = stroke === undefined ? '' : ` stroke="${stroke}" stroke-width="1"`;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"${edge}/>`;
}

export function circle(x, y, radius, fill) {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
}

export function rule(x1, y, x2, stroke = '#dfe3e8') {
  return `<path d="M${x1} ${y}.5H${x2}" stroke="${stroke}"/>`;
}

/** Rows of cells. `columns` gives the x of each column; a negative one is right-aligned. */
export function table(y, columns, rows, { step = 30, ...style } = {}) {
  const cell = (content, x, i) =>
    text(Math.abs(x), y + i * step, content, { ...style, anchor: x < 0 ? 'end' : 'start' });
  return rows.map((row, i) => row.map((content, c) => cell(content, columns[c], i)).join('')).join('');
}

const LIGHTS = [circle(42, 44, 6.5, '#ff5f57'), circle(64, 44, 6.5, '#febc2e'), circle(86, 44, 6.5, '#28c840')].join(
  '',
);

const CROSS = `<g stroke="#4b5563" stroke-width="1.3" fill="none"><path d="M678.5 44.5h11"/><rect x="710.5" y="39.5" width="10" height="10"/><path d="M743 39l11 11M754 39l-11 11"/></g>`;

/** A window on a desktop: `buttons` on the left as on a Mac, or on the right as elsewhere. */
export function window(title, body, { buttons = 'left', bar = '#eceef1', page = '#ffffff', desk } = {}) {
  const [from, to] = desk ?? ['#c9d8ea', '#e6dff0'];
  const name =
    buttons === 'left'
      ? text(400, 50, title, { size: 17, weight: 600, anchor: 'middle' })
      : text(42, 50, title, { size: 17, weight: 500 });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<defs><linearGradient id="desk" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>
<clipPath id="frame"><rect x="20" y="20" width="760" height="460" rx="11"/></clipPath></defs>
${box(0, 0, WIDTH, HEIGHT, 'url(#desk)')}
<g fill="#1b2333">${[8, 6, 4, 2].map((d) => `<rect x="${20 - d}" y="${22 - d + 4}" width="${760 + 2 * d}" height="${460 + 2 * d - 2}" rx="${11 + d}" opacity=".035"/>`).join('')}</g>
<g clip-path="url(#frame)">${box(20, 20, 760, 460, page)}${box(20, 20, 760, 48, bar)}${rule(20, 68, 780, '#cfd4da')}
${buttons === 'left' ? LIGHTS : CROSS}${name}${body}</g>
${box(20.5, 20.5, 759, 459, 'none', { radius: 10.5, stroke: '#b4bcc6' })}</svg>`;
}
