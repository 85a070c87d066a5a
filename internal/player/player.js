// bind reads a view's element: the figure and the table of one explanation.
function bind(root, e) {
  const v = { e, root, steps: e.steps, N: e.instance.seen.length / 2 };
  v.find = selector => root.querySelector(selector);
  v.radius = Number(v.find("circle[data-node]").getAttribute("r"));
  v.groups = [...root.querySelectorAll("[data-edges] > g")];
  v.circles = [...root.querySelectorAll("circle[data-node]")];
  v.rows = [...root.querySelectorAll("[data-row]")];
  v.firstVisit = new Map(); // node to the step that visits it
  e.steps.forEach((s, i) => { if (!v.firstVisit.has(s.action)) v.firstVisit.set(s.action, i); });
  v.before = e.actions.slice(0, e.actions.length - e.steps.length); // nodes before the first step
  if (v.N > 40) v.find("svg").classList.add("many");
  for (const r of v.rows) {
    r.classList.add("live");
    const head = r.querySelector("th");
    head.replaceChildren(element("button", { type: "button", "aria-label": "Show step " + head.textContent },
      head.textContent));
  }
  return v;
}

// read returns the page's data. There, probabilities are whole numbers: parts of 1,000, of weights parts of 10,000.
function read(text) {
  const page = JSON.parse(text), of = (x, whole) => x && x.map(v => v / whole);
  for (const e of page.explanations) {
    for (const s of e.steps) {
      s.student = of(s.student, 1e3);
      s.teacher_probs = of(s.teacher_probs, 1e3);
      s.programs = s.programs && s.programs.map(Vm => of(Vm, 1e3));
      s.weights = of(s.weights, 1e4);
    }
  }
  return page;
}

function start(root) {
  const page = read(root.querySelector("[data-explanations]").textContent);
  const find = selector => root.querySelector(selector);
  const programs = page.student.programs;
  const views = page.explanations.map((e, i) => bind(find('[data-view="' + i + '"]'), e));
  let v = views[0];    // the view that is shown
  let at = 0;          // index of its step that is shown
  let selected = null; // program that the reader selected; null follows the leader

  const target = c => targetOf(v.e, c), label = c => labelOf(v.e, c);
  const place = c => [100 * v.e.instance.seen[2 * target(c)], 100 * (1 - v.e.instance.seen[2 * target(c) + 1])];
  const nameOf = m => programs[m].label + " " + programs[m].name;
  const shown = () => selected !== null ? selected : v.steps[at].leader;

  const colour = root.dataset.colours.split(" "); // class of each program

  const slider = find("[data-slider]"), policy = find("[data-policy]"), numbers = find("[data-numbers]");
  const which = find("[data-which]");
  const probabilities = s =>
    policy.value === "student" ? s.student : policy.value === "teacher" ? s.teacher_probs : s.programs[policy.value];
  const sources = [...root.querySelectorAll("[data-program]")];
  const functions = [...root.querySelectorAll("[data-functions] > details")]; // of the SDK; they move to who calls them
  let coded = -1; // the program whose code is shown

  function drawOverlay(s) {
    const overlay = v.find("[data-overlay]");
    overlay.replaceChildren();
    const [x, y] = place(s.from);
    if (decided(s)) {
      const p = probabilities(s) || [];
      s.candidates.forEach((c, k) => {
        if (!(p[k] > 0)) return;
        const [cx, cy] = place(c);
        const halo = shape("circle", { class: "halo", cx, cy, r: v.radius + 4 * Math.sqrt(p[k]) });
        halo.append(shape("title", {}, "node " + label(c) + ": " + percent(p[k]) + " %"));
        overlay.append(halo);
      });
      if (parts(s)) {
        const [tx, ty] = place(s.teacher_first);
        overlay.append(shape("line", { class: "would", x1: x, y1: y, x2: tx, y2: ty }));
      }
    }
    overlay.append(shape("circle", { class: "here", cx: x, cy: y, r: 2 * v.radius + 0.5 }));
  }

  function drawLabels(s) {
    const labels = v.find("[data-labels]");
    labels.replaceChildren();
    if (numbers.value === "none") return;
    if (numbers.value === "steps") {
      v.steps.forEach((e, i) => {
        if (v.N > 120 && Math.abs(i - at) > 10) return;
        const [ax, ay] = place(e.from), [bx, by] = place(e.action);
        labels.append(shape("text", { x: (ax + bx) / 2 + 0.8, y: (ay + by) / 2 - 0.8 }, e.step));
      });
      return;
    }
    const near = new Set([s.from, s.action, ...(s.candidates || []).map(target)]);
    for (let c = 0; c < v.N; c++) {
      if (v.N > 120 && !near.has(c)) continue; // all numbers of a large instance would hide it
      const [x, y] = place(c);
      const edge = x > 94; // of the drawing: the label goes to the left
      labels.append(shape("text", { x: edge ? x - v.radius - 0.3 : x + v.radius + 0.3, y: y - v.radius,
        "text-anchor": edge ? "end" : "start" }, label(c)));
    }
  }

  function drawWeights(s) {
    const into = find("[data-weights]");
    if (!decided(s)) {
      into.replaceChildren(element("p", {}, "The router was not asked."));
      return;
    }
    const body = element("tbody");
    const order = programs.map((_, m) => m).sort((a, b) => s.weights[b] - s.weights[a] || a - b);
    for (const m of order) {
      const tie = s.leader_tie && (m === s.leader || m === s.second);
      const button = element("button", { type: "button", "data-select": m, "aria-pressed": m === selected },
        ...breakable(nameOf(m)));
      const bar = element("span", { class: "bar " + colour[m] + (tie ? " tie" : "") });
      bar.style.width = 100 * s.weights[m] + "%";
      body.append(element("tr", {}, element("th", { scope: "row" }, button),
        element("td", {}, percent(s.weights[m]) + " %" + (tie ? " tie" : "")),
        element("td", {}, "→ " + label(s.firsts[m])), element("td", {}, bar)));
    }
    const heads = ["Program", "Weight", "Would go", "Bar"].map(h => element("th", { scope: "col" }, h));
    const head = element("thead", {}, element("tr", {}, ...heads));
    into.replaceChildren(element("table", { class: "weights" }, head, body));
  }

  function drawWhy(s) {
    const into = find("[data-why]");
    into.replaceChildren();
    if (!decided(s) || s.second < 0) return;
    into.append(element("h3", {}, "Why the router prefers " + nameOf(s.leader) + " to " + nameOf(s.second)));
    const { all, shown, others } = why(s);
    if (shown.length === 0) {
      into.append(element("p", {}, v.e.own ? "What was solved on this page has no reasons: epb explain gives them." :
        "This router is a network: it has no reasons that can be read."));
      return;
    }
    if (Math.abs(others) > Math.abs(all) / 2) into.append(element("p", {}, manyReasons(s, all)));
    const list = element("ul", { class: "reasons" });
    for (const r of shown) list.append(element("li", {}, signed(r.weight) + ": ", ...prose(r.says)));
    if (Math.abs(others) >= 0.005) list.append(element("li", {}, signed(others) + ": all other terms"));
    if (s.leader_tie) into.append(element("p", {}, "They are so close that these reasons decide little."));
    into.append(list);
  }

  // rounding returns how large a value of terms may be that is nothing but rounding.
  const rounding = t => 1e-5 * Math.max(0, ...t.weights.flatMap(w => w.values.map(Math.abs)));

  // drawTerms shows the terms of the leader: nobody else's are known.
  function drawTerms(s) {
    const into = find("[data-terms]");
    into.replaceChildren();
    if (!decided(s) || !s.terms) return;
    if (shown() !== s.leader) {
      into.append(element("p", { class: "player-note" }, "The values of terms are known of the leader, " +
        nameOf(s.leader) + ", only."));
      return;
    }
    const t = s.terms, chosen = label(s.candidates[s.chosen]), other = label(t.other);
    const rows = t.weights.map(w => [w.name, w.values]);
    if (t.rest.some(v => Math.abs(v) > rounding(t))) rows.push([programs[s.leader].unweighted, t.rest]);
    rows.push(["score", t.scores]);
    const body = element("tbody");
    const meanings = programs[s.leader].meanings || {};
    for (const [name, [a, b]] of rows) {
      const cells = [a, b, a - b].map(v => element("td", {}, number(v)));
      const kind = name === "score" ? { class: "chosen" } : {};
      body.append(element("tr", kind, element("th", { scope: "row" }, name, element("small", {}, meanings[name] || "")),
        ...cells));
    }
    const heads = ["Term", "For " + chosen, "For " + other, "Difference"].map(h => element("th", { scope: "col" }, h));
    into.append(element("h3", {}, "Terms of " + nameOf(s.leader) + " at this step"),
      element("p", {}, termWords(t, programs[s.leader].unweighted, chosen, other,
        parts(s) ? "the teacher’s choice" : "the next best")),
      element("div", { class: "player-scroll", tabindex: 0, role: "region", "aria-label": "Terms" },
        element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body)));
  }

  // termWords says which term speaks most for the choice and which for the other candidate, of which what says what it is.
  // rest names what has no weight.
  function termWords(t, rest, chosen, other, what) {
    const all = [...t.weights, { name: rest, values: t.rest }];
    const least = rounding(t), of = w => {
      const difference = w.values[0] - w.values[1];
      return Math.abs(difference) > least ? difference : 0;
    };
    const best = all.reduce((a, b) => of(b) > of(a) ? b : a), worst = all.reduce((a, b) => of(b) < of(a) ? b : a);
    const out = [];
    if (of(best) > 0) out.push("For " + chosen + " speaks most: " + best.name + ".");
    if (of(worst) < 0) out.push("For " + other + ", " + what + ", speaks most: " + worst.name + ".");
    if (t.scores[0] < t.scores[1]) out.push("By itself the program prefers " + other + " to " + chosen + ".");
    return out.join(" ") || "No term tells " + chosen + " from " + other + ", " + what + ".";
  }

  function drawCandidates(s) {
    const into = find("[data-candidates]"), left = find("[data-left]");
    left.textContent = "";
    if (!decided(s)) {
      into.replaceChildren(element("p", {}, "There were no candidates to choose from."));
      return;
    }
    left.textContent = "A program’s probabilities come from its scores by its own τ_h, and may be too sure.";
    const columns = [["Student", s.student]];
    if (s.teacher_probs) columns.push(["Teacher", s.teacher_probs]);
    programs.forEach((p, m) => columns.push([p.label, s.programs[m]]));
    const order = s.candidates.map((_, k) => k).sort((a, b) => s.student[b] - s.student[a] || a - b);
    const body = element("tbody"), chosen = v.e.along_teacher && parts(s) ? " ← student" : " ← chosen";
    for (const k of order) {
      const c = s.candidates[k], row = element("tr", k === s.chosen ? { class: "chosen" } : {});
      row.append(element("th", { scope: "row" }, label(c) + (k === s.chosen ? chosen : "") +
        (c === s.teacher_first && k !== s.chosen ? " ← teacher" : "")));
      for (const [, p] of columns) {
        const cell = element("td", { class: "p" }, percent(p[k]));
        cell.style.setProperty("--share", 40 * p[k] + "%");
        row.append(cell);
      }
      body.append(row);
    }
    if (s.left_out) {
      const others = s.left_out === 1 ? "1 other" : s.left_out + " others";
      const row = element("tr", {}, element("th", { scope: "row" }, others));
      for (const [, p] of columns) {
        const rest = Math.max(0, 1 - p.reduce((sum, x) => sum + x, 0));
        row.append(element("td", { class: "p" }, percent(rest)));
      }
      body.append(row);
    }
    const head = element("tr", {}, element("th", { scope: "col" }, "Node"));
    for (const [name] of columns) head.append(element("th", { scope: "col" }, name));
    into.replaceChildren(element("table", {}, element("thead", {}, head), body));
  }

  function drawCode() {
    const m = shown();
    find("[data-follow]").hidden = selected === null;
    find("[data-code-title]").textContent = m < 0 ? "Code" :
      (selected === null ? "Code of the leader: " : "Code of the selected program: ") + nameOf(m);
    for (const d of sources) {
      const mine = Number(d.dataset.program) === m, called = d.querySelector("[data-called]");
      d.hidden = !mine;
      if (!mine || m === coded) continue;
      d.open = true;
      called?.replaceChildren(...called.dataset.called.split(" ").map(i => functions[i]));
    }
    coded = m;
  }

  function show(i, scroll = true) {
    at = Math.max(0, Math.min(v.steps.length - 1, i));
    const s = v.steps[at];
    slider.value = at;
    slider.setAttribute("aria-valuetext", "step " + s.step + ", to node " + label(s.action));
    v.groups.forEach((g, k) => {
      g.classList.toggle("later", k > at);
      g.classList.toggle("current", k === at);
    });
    const visited = new Set([...v.before, ...v.steps.slice(0, at).map(x => x.action)]);
    v.circles.forEach((c, k) => c.classList.toggle("visited", visited.has(k)));
    v.rows.forEach((r, k) => {
      r.classList.toggle("now", k === at);
      if (k === at) r.setAttribute("aria-current", "step"); else r.removeAttribute("aria-current");
    });
    const now = v.rows[at], box = now.closest(".player-scroll");
    if (scroll) box.scrollTop = Math.max(0, now.offsetTop - box.clientHeight / 2);
    find("[data-title]").textContent = "Step " + s.step + ": from " + label(s.from) + " to " + label(s.action);
    find("[data-words]").textContent = words(v.e, programs, s);
    drawOverlay(s);
    drawLabels(s);
    drawWeights(s);
    drawWhy(s);
    drawTerms(s);
    drawCandidates(s);
    drawCode();
  }

  function say(text) { find("[data-words]").textContent = text + " " + words(v.e, programs, v.steps[at]); }

  // seek shows the next step of a kind, from the first again after the last.
  function seek(wanted, none) {
    for (let k = 1; k <= v.steps.length; k++) {
      const i = (at + k) % v.steps.length;
      if (wanted(v.steps[i])) {
        show(i);
        if (k === v.steps.length) say("This is the only such step.");
        return;
      }
    }
    say(none);
  }

  const actions = {
    first: () => show(0), last: () => show(v.steps.length - 1), back: () => show(at - 1), next: () => show(at + 1),
    parted: () => seek(parts, v.e.teacher ? "There is no disagreement." : "No teacher was asked."),
    far: () => seek(s => decided(s) && !s.nearest, "All steps go to the nearest candidate."),
    led: () => {
      const m = shown();
      if (m < 0) { say("Select a program first."); return; }
      seek(s => decided(s) && s.leader === m, nameOf(m) + " leads no step.");
    },
    help: () => {
      const help = find(".player-help");
      help.hidden = !help.hidden;
      find("[data-do=help]").setAttribute("aria-expanded", !help.hidden);
    },
  };
  const keys = {
    ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", n: "parted", d: "far", p: "led", "?": "help",
  };

  root.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    const own = event.target.closest("select, .player-scroll, pre"); // they use arrows, Home and End themselves
    if (event.key.length > 1 && (own || event.target === slider)) return;
    if (event.target !== slider && event.target.closest("select, textarea, input")) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  root.addEventListener("click", event => {
    const on = selector => event.target.closest(selector);
    const button = on("[data-do]"), choice = on("[data-select]");
    const circle = on("circle[data-node]"), row = on("[data-row]");
    if (button) actions[button.dataset.do]();
    else if (choice) {
      const m = Number(choice.dataset.select);
      selected = selected === m ? null : m;
      show(at);
      find('[data-select="' + m + '"]').focus();
    } else if (on("[data-follow]")) {
      selected = null;
      show(at);
      root.focus({ preventScroll: true });
    } else if (circle) {
      const step = v.firstVisit.get(Number(circle.dataset.node));
      if (step !== undefined) show(step);
    } else if (row) show(Number(row.dataset.row), false);
  });
  slider.addEventListener("input", () => show(Number(slider.value)));
  policy.addEventListener("change", () => show(at));
  numbers.addEventListener("change", () => show(at));

  which.addEventListener("change", () => choose(Number(which.value)));

  // choose shows a view from its first step.
  function choose(i) {
    v = views[i];
    which.value = i;
    views.forEach(other => { other.root.hidden = other !== v; });
    slider.max = v.steps.length - 1;
    const wanted = policy.value;
    policy.replaceChildren(element("option", { value: "student" }, "of the student"));
    if (v.e.teacher) policy.append(element("option", { value: "teacher" }, "of the teacher"));
    programs.forEach((_, m) => policy.append(element("option", { value: m }, "of " + nameOf(m))));
    policy.value = wanted;
    if (policy.selectedIndex < 0) policy.value = "student";
    show(0);
  }

  const code = find("[data-code]");
  sources.forEach(d => code.append(d));
  for (const other of root.querySelectorAll(".player-names, .player-functions")) other.hidden = true;
  for (const selector of [".player-controls", ".player-panel", ".player-more"]) find(selector).hidden = false;
  const offer = i => {
    const e = views[i].e;
    const here = e.own ? ", solved here (" + (i + 1 - page.explanations.length) + ")" : "";
    which.append(element("option", { value: i }, e.instance.name + here));
    find(".player-which").hidden = views.length < 2;
  };
  views.forEach((_, i) => offer(i));
  choose(0);
  if (find("[data-solver]")) {
    find(".player-own").hidden = false;
    own(root, page, e => {
      const drawn = viewOf(e, programs, colour);
      find("[data-views]").append(drawn);
      views.push(bind(drawn, e));
      offer(views.length - 1);
      choose(views.length - 1);
      drawn.scrollIntoView({ block: "nearest" });
    });
  }
}

const players = [...document.querySelectorAll("section.player")];
players.forEach(start);
if (document.body.classList.contains("player-page") && players.length > 0) players[0].focus({ preventScroll: true });
