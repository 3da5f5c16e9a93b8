// Drawings and controls, made one by one as elements are: foreign text becomes text, never markup.

import { element, visible } from "./elements.js";

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children; a child that is no node becomes visible text. */
export function drawing(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, visible(value));
  for (const child of children) made.append(child instanceof Node ? child : visible(child));
  return made;
}

/** A button that does something. */
export function button(text, onClick, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", onClick);
  return made;
}

/** A list to choose from: of [value, text]. */
export function choice(options, chosen, onChange, attributes = {}) {
  const made = element("select", attributes, ...options.map(([value, text]) => element("option", { value }, text)));
  made.value = chosen;
  made.addEventListener("change", () => onChange(made.value));
  return made;
}

/** Set an element's text where it is another: what is announced is announced once. */
export function say(target, text) {
  const shown = visible(text);
  if (target.textContent !== shown) target.textContent = shown;
}
