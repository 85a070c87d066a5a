// viewOf draws a solution of the reader's own, as player.tmpl draws those of the page.
function viewOf(e, programs, colour) {
  const n = e.instance.seen.length / 2, radius = Math.min(1.1, Math.max(0.3, 11 / Math.sqrt(n + 1) * 0.55));
  const place = i => [100 * e.instance.seen[2 * i], 100 * (1 - e.instance.seen[2 * i + 1])];
  const label = i => String(i + e.instance.first), nameOf = m => programs[m].label + " " + programs[m].name;
  const depot = e.problem === "cvrp";
  const edges = shape("g", { "data-edges": "" }), nodes = shape("g", { "data-nodes": "" });
  const edge = (from, to, step, kind, tied) => {
    const [ax, ay] = place(from), [bx, by] = place(to);
    const length = Math.max(Math.hypot(bx - ax, by - ay), 1e-9), ux = (bx - ax) / length, uy = (by - ay) / length;
    const size = Math.min(1.6 * radius, length / 2), tip = [(ax + bx) / 2 + ux * size, (ay + by) / 2 + uy * size];
    const corner = side =>
      (tip[0] - 2 * size * ux - side * size * uy) + " " + (tip[1] - 2 * size * uy + side * size * ux);
    const g = shape("g", { "data-step": step }), line = { x1: ax, y1: ay, x2: bx, y2: by };
    g.append(shape("line", { ...line, class: "way " + kind }));
    if (tied) g.append(shape("line", { ...line, class: "way tied " + (tied === kind ? "paper" : tied) }));
    const head = "M" + tip.join(" ") + "L" + corner(1) + "L" + corner(-1) + "Z";
    g.append(shape("path", { class: "head " + kind, d: head }));
    edges.append(g);
  };
  const led = programs.map(() => 0), body = element("tbody");
  e.steps.forEach((s, i) => {
    const decided = s.chosen >= 0;
    const outvoted = decided && s.firsts[s.leader] !== s.candidates[s.chosen];
    edge(s.from, s.action, i, decided ? colour[s.leader] : "forced",
      outvoted ? colour[loudest(s)] : decided && s.leader_tie && colour[s.second]);
    const row = element("tr", { "data-row": i }, element("th", { scope: "row" }, s.step),
      element("td", {}, label(s.from)), element("td", {}, label(s.action)));
    body.append(row);
    if (!decided) {
      row.append(element("td", { colspan: 5 }, "nothing to choose"));
      return;
    }
    led[s.leader]++;
    const ahead = s.second < 0 ? "nobody else" : s.leader_tie ? "tie with " + programs[s.second].label :
      programs[s.second].label + " by " + percent(s.margin);
    for (const text of [s.rank, percent(s.prob), nameOf(s.leader), ahead, s.agree + " of " + programs.length]) {
      row.append(element("td", {}, text));
    }
  });
  const a = e.actions;
  if (!depot && a.length > 1) edge(a[a.length - 1], a[0], -1, "forced");
  for (let i = 0; i < n; i++) {
    const [cx, cy] = place(i), circle = shape("circle", { "data-node": i, cx, cy, r: radius });
    if (depot && i === 0) circle.classList.add("depot");
    circle.append(shape("title", {}, "node " + label(i)));
    nodes.append(circle);
  }
  const svg = shape("svg", { viewBox: "-4 -4 108 108", role: "img", "aria-label": "Solution of " + e.instance.name +
    ", with arrows in its direction" });
  svg.append(edges, shape("g", { "data-overlay": "" }), nodes, shape("g", { "data-labels": "" }));
  const decisions = e.steps.filter(s => s.chosen >= 0), nearest = decisions.filter(s => s.nearest).length;
  const ties = decisions.filter(s => s.leader_tie).length;
  const outvoted = decisions.filter(s => s.firsts[s.leader] !== s.candidates[s.chosen]).length;
  const legend = element("p", { class: "player-legend" });
  led.forEach((count, m) => {
    if (count === 0) return;
    legend.append(element("span", {}, element("i", { class: "chip " + colour[m] }), nameOf(m) + ", " + count), " ");
  });
  const heads = ["Step", "From", "To", "Rank", "Probability, %", "Leader", "Ahead of", "Agree"];
  const table = element("table", {}, element("thead", {}, element("tr", {},
    ...heads.map(h => element("th", { scope: "col" }, h)))), body);
  return element("div", { class: "player-view" },
    element("p", { class: "player-summary" }, "The student solved " + e.instance.name + " on this page, in " +
      decisions.length + " decisions; " + nearest + " went to the nearest candidate. The leader was ahead by less than " +
      "a point at " + stepCount(ties) + ". " +
      (outvoted ? "The others outvoted the leader at " + stepCount(outvoted) + ". " : "") +
      "Its solution costs " + Number(e.cost.rounded.toPrecision(8)) + " (" + e.instance.rounding + "). " + e.start),
    element("figure", { class: "player-stage" }, svg, element("figcaption", {}, "An edge has the colour of the " +
      "program with the largest weight at its step; two colours in turn where neither leads, or where the second " +
      "speaks most for the edge and the first would go elsewhere."), legend),
    element("details", { class: "player-steps" }, element("summary", {}, "All steps as a table"),
      element("div", { class: "player-scroll", tabindex: 0, role: "region", "aria-label": "All steps" }, table)));
}

// own lets the reader give nodes: in a file, as text, or by clicks. solved is called with each explanation.
function own(root, page, solved) {
  const find = selector => root.querySelector(selector);
  const text = find("[data-own-text]"), capacity = find("[data-own-capacity]"), says = find("[data-own-says]");
  const board = find("[data-own-board]"), file = find("[data-own-file]"), depot = page.problem === "cvrp";
  const button = find("[data-own-solve]");
  let running = null; // an object of the solution that is under way
  let solver = null, name = "your nodes";
  let clicked = false; // the nodes of the text were drawn by clicks
  let frame = null; // the corner and side of the square of the text's units that the board shows; null: 0 to 100

  const say = message => { says.textContent = message; };

  // vehicle is the capacity of one as readInstance takes it.
  const vehicle = () => depot ? Number(capacity.value) : null;

  // sketch draws the nodes of the text on the board, scaled as the student sees them, but where they were drawn if they
  // were. Nodes of the unit square in a file were not.
  function sketch() {
    board.replaceChildren();
    frame = null;
    if (text.value.trim() === "") return;
    let at, drawn;
    try {
      at = readNodes(text.value, name, vehicle());
      drawn = at.coords.every(v => v >= 0 && v <= 100) && (clicked || at.coords.some(v => v > 1));
      if (!drawn) frame = scaled(at);
    } catch (error) {
      say(error.message + ".");
      return;
    }
    const n = at.coords.length / 2;
    for (let i = 0; i < n; i++) {
      const [x, y] = [0, 1].map(axis => drawn ? at.coords[2 * i + axis] : 100 * at.seen[2 * i + axis]);
      const kind = depot && i === 0 ? "depot" : "";
      board.append(shape("circle", { cx: x, cy: 100 - y, r: n > 100 ? 0.6 : 1.2, class: kind }));
    }
    say(n + (n === 1 ? " node." : " nodes."));
  }

  async function open(chosen) {
    if (chosen.size > 1 << 20) { say("The file is larger than a megabyte."); return; }
    name = chosen.name.replace(/\.[^.]*$/, "");
    text.value = await chosen.text();
    clicked = false;
    sketch();
  }

  // run solves the nodes in slices, so that the page stays alive, and stops when its button is pressed again.
  async function run() {
    if (running) {
      running = null;
      button.textContent = "Solve";
      say("Stopped.");
      return;
    }
    const mine = running = {};
    try {
      const at = readInstance(text.value, name, vehicle()), n = at.seen.length / 2;
      if (!solver) {
        const code = atob(find("[data-solver]").textContent);
        solver = await load(Uint8Array.from(code, c => c.charCodeAt(0)));
      }
      if (running !== mine) return;
      const work = explaining(solver, page.student, at);
      button.textContent = "Stop";
      for (let count = 0, told = 0; ;) {
        const began = performance.now();
        do {
          const { done, value } = work.next();
          if (done) {
            solved(value);
            say("Solved: the steps are below.");
            return;
          }
          count++;
        } while (performance.now() - began < 50);
        if (began - told > 500) { // a screen reader says it each time
          told = began;
          say("Solving: " + count + " steps for " + n + " nodes.");
        }
        await new Promise(next => setTimeout(next, 0));
        if (running !== mine) return;
      }
    } catch (error) {
      solver = null; // it may have stopped within a solution
      say(error instanceof WebAssembly.RuntimeError ? "These nodes need more than the solver of this page has: try " +
        "fewer, or epb explain (" + error.message + ")." : error.message + ".");
    } finally {
      if (running === mine) {
        running = null;
        button.textContent = "Solve";
      }
    }
  }

  board.addEventListener("click", event => {
    if (isLibrary(text.value)) {
      say("These nodes are a file: add others to its lines, or clear it.");
      return;
    }
    let layout; // of the lines that are there: the new one is like them
    try {
      layout = layoutOf(linesOf(text.value), vehicle());
    } catch (error) {
      say(error.message + ".");
      return;
    }
    const box = board.getBoundingClientRect(), at = (v, axis) => {
      const place = Math.round(10 * Math.max(0, Math.min(100, v))) / 10;
      return frame ? Number((frame.lo[axis] + place / 100 * frame.span).toPrecision(8)) : place;
    };
    const x = at(108 * (event.clientX - box.left) / box.width - 4, 0);
    const y = at(100 - (108 * (event.clientY - box.top) / box.height - 4), 1);
    const first = layout.nodes.length === 0;
    clicked ||= first;
    const line = lineOf(layout, x, y, depot && !first ? find("[data-own-demand]").value : 0);
    const before = text.value.replace(/[\r\n]+$/, "");
    text.value = (before && before + "\n") + line + "\n";
    sketch();
  });
  text.addEventListener("input", () => { name = "your nodes"; clicked = false; sketch(); });
  capacity?.addEventListener("input", sketch);
  file.addEventListener("change", () => { if (file.files.length > 0) open(file.files[0]); });
  button.addEventListener("click", run);
  find("[data-own-clear]").addEventListener("click", () => {
    text.value = "";
    name = "your nodes";
    sketch();
    say("");
  });
  find("[data-own-save]").addEventListener("click", () => {
    if (text.value.trim() === "") { say("There are no nodes to save."); return; }
    const kind = !isLibrary(text.value) ? ".csv" : depot ? ".vrp" : ".tsp";
    const link = element("a", { download: name + kind, href: URL.createObjectURL(new Blob([text.value])) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000); // the browser has begun to read by then
  });
  const over = event => {
    const isFile = event.dataTransfer?.types.includes("Files");
    if (!isFile && event.target.closest?.("textarea, input")) return; // text may be dropped into a field
    event.preventDefault();
    root.classList.toggle("dropping", event.type === "dragover");
  };
  // A file that misses the player would be opened in the place of the page.
  for (const type of ["dragover", "dragleave", "drop"]) document.addEventListener(type, over);
  document.addEventListener("drop", event => {
    const under = event.target.closest?.(".player") || document.querySelector(".player");
    if (under === root && event.dataTransfer.files.length > 0) {
      find(".player-own").open = true;
      open(event.dataTransfer.files[0]);
    }
  });
}
