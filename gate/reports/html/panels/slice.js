// Which rows of a long table are in sight. No page in here: node tests it.

// Browsers cap the height of an element; beyond this a pixel of scrolling is worth more than a pixel of rows.
const MOST_PIXELS = 8_000_000;

/** The height in pixels that the scrolled content pretends to have. */
export function contentHeight(count, rowHeight, headHeight) {
  return Math.min(headHeight + count * rowHeight, MOST_PIXELS);
}

/** How many whole rows fit under the head, at least one. */
export function rowsInSight(height, rowHeight, headHeight) {
  return Math.max(1, Math.floor((height - headHeight) / rowHeight));
}

/** The first row in sight where so much is scrolled. */
export function firstInSight(scrolled, height, { count, rowHeight, headHeight }) {
  const last = Math.max(0, count - rowsInSight(height, rowHeight, headHeight));
  const room = contentHeight(count, rowHeight, headHeight) - height;
  return room <= 0 ? 0 : Math.min(last, Math.max(0, Math.round((scrolled / room) * last)));
}

/** How much is to be scrolled for a row to be the first in sight. */
export function scrollTo(first, height, { count, rowHeight, headHeight }) {
  const last = Math.max(0, count - rowsInSight(height, rowHeight, headHeight));
  const room = Math.max(0, contentHeight(count, rowHeight, headHeight) - height);
  return last === 0 ? 0 : (Math.min(first, last) / last) * room;
}
