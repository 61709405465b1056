// An object in the middle, what contains it above, what it contains and who plays a role around it.

import { clip, svg } from "./dom.ts";
import type { ObjectLink, ObjectView } from "./wire.ts";

interface Neighbour {
  object: ObjectLink;
  role: string;
  kind: "container" | "part" | "person";
}

/** More would not be read; the list beside has all. */
const MAX = 26;

export function graph(object: ObjectView, width: number, height: number, go: (id: number) => void): SVGElement {
  const inside = object.containers[0];
  const all: Neighbour[] = [
    ...(inside ? [{ object: inside, role: "in", kind: "container" as const }] : []),
    ...object.parts.map((it) => ({ object: it, role: "", kind: "part" as const })),
    ...object.roles.map((it) => ({ object: it.with, role: it.role, kind: "part" as const })),
    ...object.players.map((it) => ({ object: it.with, role: it.role, kind: "person" as const })),
  ];
  const seen = all.slice(0, MAX);
  const middle = { x: width / 2, y: height / 2 };
  const reach = { x: Math.max(width / 2 - 110, 60), y: Math.max(height / 2 - 40, 40) };
  const edges: SVGElement[] = [];
  const nodes: SVGElement[] = [];
  for (const [nth, neighbour] of seen.entries()) {
    // The first stands above; every other one is nearer, so that names do not run into each other.
    const angle = -Math.PI / 2 + (2 * Math.PI * nth) / seen.length;
    const near = seen.length > 12 && nth % 2 === 1 ? 0.66 : 1;
    const at = { x: middle.x + reach.x * near * Math.cos(angle), y: middle.y + reach.y * near * Math.sin(angle) };
    edges.push(svg("line", { x1: middle.x, y1: middle.y, x2: at.x, y2: at.y, class: "edge" }));
    nodes.push(node(neighbour, at, go));
  }
  const rest = all.length - seen.length;
  return svg(
    "svg",
    { class: "graph", viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": `${object.name} and what is around it` },
    edges,
    nodes,
    svg("g", { class: "node centre" }, svg("circle", { cx: middle.x, cy: middle.y, r: 11 }), svg("text", { x: middle.x, y: middle.y + 28, "text-anchor": "middle" }, clip(object.name, 44)), svg("text", { x: middle.x, y: middle.y + 43, "text-anchor": "middle", class: "role" }, object.class)),
    rest > 0 ? svg("text", { x: 12, y: height - 12, class: "role" }, `and ${rest} more, in the list`) : null,
  );
}

function node(neighbour: Neighbour, at: { x: number; y: number }, go: (id: number) => void): SVGElement {
  const { object, role, kind } = neighbour;
  const open = () => go(object.id);
  const element = svg(
    "g",
    { class: `node ${kind}`, tabindex: "0", role: "link", "aria-label": `${object.name}, ${role || object.class}` },
    svg("circle", { cx: at.x, cy: at.y, r: 7 }),
    svg("text", { x: at.x, y: at.y + 20, "text-anchor": "middle" }, clip(object.name, 26)),
    svg("text", { x: at.x, y: at.y + 33, "text-anchor": "middle", class: "role" }, role || object.class),
  );
  element.addEventListener("click", open);
  element.addEventListener("keydown", (event) => {
    if ((event as KeyboardEvent).key === "Enter") open();
  });
  return element;
}
