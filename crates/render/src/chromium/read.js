(mark, wanted) => {
  // How elements look, by their numbers; null where the page has none of that number.
  const seen = new Map();
  for (const element of document.querySelectorAll(`[${mark}]`)) {
    const number = Number(element.getAttribute(mark));
    if (!seen.has(number)) seen.set(number, element);
  }
  const place = (box) => [box.x + scrollX, box.y + scrollY, box.width, box.height];
  const backgrounds = new Map();
  const background = (element) => {
    if (!element) return null;
    if (backgrounds.has(element)) return backgrounds.get(element);
    const own = getComputedStyle(element).backgroundColor;
    const isClear = /^rgba\(.*, 0\)$/.test(own) || own === "transparent";
    const found = isClear ? background(element.parentElement) : own;
    backgrounds.set(element, found);
    return found;
  };
  const texts = (element) => {
    const found = [];
    for (const node of element.childNodes) {
      if (node.nodeType !== 3) continue;
      // What is not white space, as blanks at line ends have boxes of their own.
      const range = document.createRange();
      const start = node.data.search(/\S/);
      range.setStart(node, Math.max(start, 0));
      range.setEnd(node, node.data.trimEnd().length || node.data.length);
      found.push(place(range.getBoundingClientRect()));
    }
    return found;
  };
  return wanted.map((number) => {
    const element = seen.get(number);
    if (!element) return null;
    const style = getComputedStyle(element);
    return {
      size: parseFloat(style.fontSize),
      weight: Number(style.fontWeight),
      italic: style.fontStyle !== "normal",
      colour: style.color,
      background: background(element),
      align: style.textAlign,
      rtl: style.direction === "rtl",
      visible: element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
      box: place(element.getBoundingClientRect()),
      texts: texts(element),
    };
  });
}
