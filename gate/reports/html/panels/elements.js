// Elements made of text: nothing foreign is ever read as markup.

// As the other reports show them: what does not print, or would turn the direction of the line.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** The text with what does not print written as an escape. */
export function visible(text) {
  return String(text).replace(UNSEEN, (char) => {
    const code = char.codePointAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** An element with attributes and children; a child that is no element becomes visible text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  for (const child of children) made.append(child instanceof Node ? child : visible(child));
  return made;
}
