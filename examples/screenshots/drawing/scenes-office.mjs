import { box, circle, lines, rule, table, text, window } from './window.mjs';

const GREY = '#5b6472';

export function meetingNotes() {
  const sidebar = [
    box(20, 69, 170, 411, '#f4f5f7'),
    box(28, 82, 154, 34, '#ffe08a', { radius: 6 }),
    lines(42, 105, ['Today', 'Ideas', 'Travel', 'Reading'], { size: 15, step: 36, fill: '#3b424d' }),
    `<path d="M190.5 69V480" stroke="#dfe3e8"/>`,
  ];
  const points = [
    'Atlas moves to the new cluster on Monday',
    'Priya writes the rollback plan',
    'Support needs two more people in March',
    'Budget review is due by Friday',
    'Next sync on 18 February at 10:00',
  ];
  return window(
    'Meeting Notes',
    [
      ...sidebar,
      text(218, 118, 'Weekly Sync, Project Atlas', { size: 24, weight: 700 }),
      text(218, 148, 'Wednesday, 11 February 2026', { size: 15, fill: GREY }),
      rule(218, 166, 752),
      points.map((_, i) => circle(224, 195 + i * 36, 3, '#e0a100')).join(''),
      lines(240, 200, points, { size: 17, step: 36 }),
      text(218, 400, 'Attending: Priya, Jonas, Mei, Tomas', { size: 16, fill: GREY }),
    ].join(''),
  );
}

export function invoice() {
  const rows = [
    ['Poster printing, A2', '40', '260.00'],
    ['Business cards, matte', '500', '85.00'],
    ['Delivery by courier', '1', '18.50'],
  ];
  return window(
    'Invoice 20417 - Document Viewer',
    [
      box(20, 69, 760, 411, '#8d949e'),
      box(90, 84, 620, 396, '#ffffff'),
      text(124, 132, 'Harbor Print Works', { size: 24, weight: 700, fill: '#14532d' }),
      text(676, 132, 'INVOICE', { size: 22, weight: 600, anchor: 'end' }),
      text(124, 160, '14 Dock Street, Bristol', { size: 15, fill: GREY }),
      text(676, 160, 'Date: 9 February 2026', { size: 15, fill: GREY, anchor: 'end' }),
      text(124, 198, 'Bill to: Northwind Studio', { size: 17, weight: 500 }),
      box(124, 216, 552, 32, '#e7f2ea'),
      table(238, [136, -540, -664], [['Item', 'Quantity', 'Amount']], { size: 15, weight: 600 }),
      table(276, [136, -540, -664], rows, { size: 16, step: 34 }),
      rule(124, 364, 676),
      table(394, [-540, -664], [['Total', '363.50']], { size: 18, weight: 700 }),
      text(124, 440, 'Please pay within 30 days of the date above.', { size: 15, fill: GREY }),
    ].join(''),
    { buttons: 'right', desk: ['#b8c7b9', '#dfe7dc'] },
  );
}

const EVENTS = [
  [0, 178, 56, '#dbeafe', '#1e40af', ['Planning', '09:00']],
  [1, 244, 56, '#dcfce7', '#166534', ['Dentist', '11:30']],
  [2, 178, 56, '#dbeafe', '#1e40af', ['Demo', '09:30']],
  [2, 310, 56, '#fef3c7', '#92400e', ['Interview', '14:00']],
  [3, 244, 56, '#fce7f3', '#9d174d', ['Lunch, Mei', '12:00']],
  [4, 310, 56, '#dcfce7', '#166534', ['Retro', '15:00']],
];

export function weekPlan() {
  const days = ['Mon 16', 'Tue 17', 'Wed 18', 'Thu 19', 'Fri 20'];
  const column = (day) => 96 + day * 135;
  return window(
    'Sprint Plan Week 8',
    [
      text(44, 112, 'February 2026', { size: 22, weight: 700 }),
      box(664, 90, 92, 32, '#2563eb', { radius: 6 }),
      text(710, 112, 'Today', { size: 16, weight: 600, fill: '#ffffff', anchor: 'middle' }),
      days.map((day, i) => text(column(i) + 60, 152, day, { size: 15, weight: 600, anchor: 'middle' })).join(''),
      [168, 234, 300, 366].map((y) => rule(88, y, 780)).join(''),
      days.map((_, i) => `<path d="M${column(i) - 7}.5 168V432" stroke="#e8ebef"/>`).join(''),
      lines(40, 188, ['09:00', '11:00', '13:00'], { size: 13, step: 66, fill: GREY }),
      EVENTS.map(([day, y, height, fill, ink, words]) =>
        [
          box(column(day), y, 120, height - 6, fill, { radius: 5 }),
          text(column(day) + 10, y + 22, words[0], { size: 15, weight: 600, fill: ink }),
          text(column(day) + 10, y + 41, words[1], { size: 14, fill: ink }),
        ].join(''),
      ).join(''),
      rule(20, 432, 780),
      text(44, 462, 'Goal: every customer on the new billing page', { size: 16, weight: 500 }),
    ].join(''),
    { desk: ['#f2d5c4', '#e9dfe8'] },
  );
}
