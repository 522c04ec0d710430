/** The seven screenshots and their expected names. */
export const EXPECTED: { readonly [from: string]: string } = {
  'Screenshot 2026-02-11 at 09.14.03.png': 'Meeting_Notes.png',
  'Screenshot 2026-02-11 at 11.42.57.png': 'Invoice_20417.png',
  'Screenshot 2026-02-12 at 06.31.20.png': 'Boarding_Pass_Lisbon_to_Oslo.png',
  'Screenshot 2026-02-12 at 16.27.44.png': 'Connection_Lost.png',
  'Screenshot 2026-02-13 at 19.33.10.png': 'Lemon_Lentil_Soup.png',
  'Screenshot 2026-02-14 at 10.02.26.png': 'Chat_with_Mara_Lindqvist.png',
  'Screenshot 2026-02-16 at 07.58.19.png': 'Sprint_Plan_Week_8.png',
};
