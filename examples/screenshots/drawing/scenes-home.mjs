import { box, circle, lines, rule, text, window } from './window.mjs';

const INK = '#1d2129';
const GREY = '#5b6472';

export function boardingPass() {
  const field = (x, y, label, value) =>
    text(x, y, label, { size: 14, fill: GREY }) + text(x, y + 28, value, { size: 20, weight: 600 });
  const bars = Array.from({ length: 46 }, (_, i) =>
    box(96 + i * 13, 424, [3, 7, 5, 9][(i * 7 + (i >> 2)) % 4], 36, INK),
  );
  return window(
    'Boarding Pass Lisbon to Oslo',
    [
      box(60, 88, 680, 384, '#ffffff', { radius: 14, stroke: '#d3dae4' }),
      `<path d="M60 102a14 14 0 0 1 14-14h652a14 14 0 0 1 14 14v42H60z" fill="#0f4c81"/>`,
      text(90, 124, 'Fjord Air', { size: 22, weight: 700, fill: '#ffffff' }),
      text(710, 124, 'Economy', { size: 17, weight: 500, fill: '#ffffff', anchor: 'end' }),
      text(90, 212, 'LIS', { size: 48, weight: 700 }),
      text(710, 212, 'OSL', { size: 48, weight: 700, anchor: 'end' }),
      `<path d="M236 196H560" stroke="#94a3b8" stroke-width="2" stroke-dasharray="6 6"/><path d="M556 188l16 8-16 8z" fill="#94a3b8"/>`,
      text(90, 240, 'Lisbon, 07:40', { size: 16, fill: GREY }),
      text(710, 240, 'Oslo, 12:55', { size: 16, fill: GREY, anchor: 'end' }),
      rule(90, 260, 710),
      field(90, 290, 'Passenger', 'Elin Haugen'),
      field(320, 290, 'Flight', 'FJ 1654'),
      field(470, 290, 'Gate', 'B12'),
      field(600, 290, 'Seat', '14C'),
      field(90, 360, 'Date', '12 February 2026'),
      field(320, 360, 'Boarding', '07:10'),
      field(470, 360, 'Group', '3'),
      ...bars,
    ].join(''),
    { page: '#eef2f7', desk: ['#a9c4dd', '#d7e3ee'] },
  );
}

export function connectionLost() {
  const log = [
    'Upload of 214 files started',
    'Connected to storage.example.net',
    'Sent 96 of 214 files',
    'Waiting for the server',
  ];
  return window(
    'Connection Lost - Backup Manager',
    [
      box(20, 69, 760, 36, '#f7f8fa'),
      rule(20, 105, 780),
      ['File', 'Edit', 'View', 'Help']
        .map((menu, i) => text(42 + i * 54, 93, menu, { size: 15, fill: '#3b424d' }))
        .join(''),
      `<g opacity=".45">${lines(44, 142, log, { size: 16, step: 30, fill: GREY })}</g>`,
      box(150, 176, 500, 250, '#ffffff', { radius: 8, stroke: '#aab3bf' }),
      box(150, 176, 500, 5, '#dc2626'),
      circle(196, 230, 22, '#dc2626'),
      text(196, 239, '!', { size: 26, weight: 700, fill: '#ffffff', anchor: 'middle' }),
      text(236, 238, 'The backup did not finish', { size: 22, weight: 700 }),
      lines(
        178,
        286,
        ['The server closed the connection (code 503).', '118 files were not uploaded.', 'Try again in a few minutes.'],
        {
          size: 17,
          step: 28,
        },
      ),
      box(416, 374, 96, 36, '#ffffff', { radius: 5, stroke: '#aab3bf' }),
      text(464, 398, 'Details', { size: 16, anchor: 'middle' }),
      box(526, 374, 104, 36, '#2563eb', { radius: 5 }),
      text(578, 398, 'Try again', { size: 16, weight: 500, fill: '#ffffff', anchor: 'middle' }),
    ].join(''),
    { buttons: 'right', desk: ['#d8c3c3', '#ece3e0'] },
  );
}

export function recipe() {
  const soup = [
    circle(656, 236, 84, '#e9ecef'),
    circle(656, 236, 70, '#e8a33d'),
    circle(636, 222, 10, '#f4d35e'),
    circle(676, 250, 12, '#f4d35e'),
    circle(670, 212, 6, '#3f7d20'),
    circle(640, 256, 6, '#3f7d20'),
  ];
  return window(
    'Lemon Lentil Soup',
    [
      box(20, 69, 760, 40, '#f7f8fa'),
      box(120, 76, 560, 26, '#ffffff', { radius: 13, stroke: '#d3dae4' }),
      text(400, 94, 'kitchen.example.org/soups/lemon-lentil', { size: 14, fill: GREY, anchor: 'middle' }),
      rule(20, 109, 780),
      text(48, 158, 'A bright soup for cold days', { size: 24, weight: 700 }),
      text(48, 188, 'Serves four, ready in 35 minutes', { size: 16, fill: GREY }),
      ...soup,
      text(48, 232, 'You need', { size: 18, weight: 600 }),
      lines(48, 264, ['300 g red lentils', '1 onion and 2 carrots', 'Juice of 1 lemon', '1 teaspoon cumin'], {
        size: 17,
        step: 29,
      }),
      rule(48, 372, 752),
      text(48, 402, 'Fry the onion and carrots in oil for five minutes.', { size: 17 }),
      text(48, 432, 'Add lentils and water, cook for 25 minutes, add the lemon.', { size: 17 }),
    ].join(''),
    { desk: ['#f3dfb0', '#f1e8d6'] },
  );
}

export function chat() {
  const said = (y, width, words) =>
    box(44, y, width, 42, '#eceff3', { radius: 18 }) + text(62, y + 27, words, { size: 16 });
  const answered = (y, width, words) =>
    box(756 - width, y, width, 42, '#cdeee3', { radius: 18 }) + text(774 - width, y + 27, words, { size: 16 });
  return window(
    'Chat with Mara Lindqvist',
    [
      text(400, 98, 'Saturday, 14 February', { size: 14, fill: GREY, anchor: 'middle' }),
      said(114, 272, 'Are we still going hiking today?'),
      answered(168, 276, 'Yes! The weather looks perfect.'),
      said(222, 280, 'Great, I will bring tea and a map.'),
      answered(276, 316, 'Meet at the north car park at eleven?'),
      said(330, 288, 'Works for me. Do you need a lift?'),
      answered(384, 198, 'That would be lovely.'),
      rule(20, 436, 780),
      box(44, 444, 650, 30, '#f4f5f7', { radius: 15 }),
      text(62, 464, 'Write a message', { size: 14, fill: GREY }),
      circle(732, 459, 15, '#0b7a75'),
      `<path d="M726 452l14 7-14 7 3-7z" fill="#ffffff"/>`,
    ].join(''),
    { desk: ['#b6d6d3', '#e2eeea'] },
  );
}
