// element makes an element of HTML. Text is set as text, never as markup.
function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

// prose is plain text as nodes, in which names between backticks are code.
const prose = text => text.split("`").map((part, i) => i % 2 === 1 ? element("code", {}, ...breakable(part)) : part);

// breakable is a name as nodes, which may continue on a new line after each underscore.
const breakable = name => name.split(/(?<=_)/).flatMap((part, i) => i > 0 ? [element("wbr"), part] : [part]);

const space = document.querySelector(".player svg")?.namespaceURI; // of SVG
function shape(tag, attributes, text) {
  const e = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  if (text !== undefined) e.textContent = text;
  return e;
}

