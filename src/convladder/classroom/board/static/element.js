// Makes elements. Whatever comes from the server is set as text, never as HTML.
export function el(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "class") made.className = value;
    else if (name === "style") Object.assign(made.style, value);
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// Words of a hint, in which `code` stands between backticks and *stress* between stars.
export function words(text) {
  return text.split(/(`[^`]+`|\*\w[^*`]*\*)/).map((part, index) => (index % 2
    ? el(part[0] === "`" ? "code" : "em", {}, part.slice(1, -1)) : part));
}

export const percent = (share) => `${(100 * share).toFixed(2)}%`;
