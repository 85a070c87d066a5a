"use strict";
(() => {
  const percent = p => (100 * p).toFixed(1);

  // element makes an element of HTML. Text is set as text, never as markup.
  function element(tag, attributes = {}, ...children) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    e.append(...children);
    return e;
  }

  const space = document.querySelector(".player svg")?.namespaceURI; // of SVG
  function shape(tag, attributes, text) {
    const e = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    if (text !== undefined) e.textContent = text;
    return e;
  }

  function start(root) {
    const data = JSON.parse(root.querySelector("[data-explanation]").textContent);
    const find = selector => root.querySelector(selector);
    const steps = data.steps, programs = data.student.programs, N = data.instance.seen.length / 2;
    const radius = Number(find("circle[data-node]").getAttribute("r"));
    const svg = find("svg");
    let at = 0;          // index of the step that is shown
    let selected = null; // program that the reader selected; null follows the leader
    if (N > 40) svg.classList.add("many");

    const decided = s => s.chosen >= 0;
    const parts = s => decided(s) && s.teacher_first >= 0 && s.candidates[s.chosen] !== s.teacher_first;
    const target = c => c >= N ? c - N : c; // N+j is customer j by way of the depot
    const label = c => (c >= N ? data.instance.first + "→" : "") + (target(c) + data.instance.first);
    const place = c => [100 * data.instance.seen[2 * target(c)], 100 * (1 - data.instance.seen[2 * target(c) + 1])];
    const nameOf = m => programs[m].label + " " + programs[m].name;
    const shown = () => selected !== null ? selected : steps[at].leader;

    const colour = root.dataset.colours.split(" "); // class of each program

    const slider = find("[data-slider]"), policy = find("[data-policy]"), numbers = find("[data-numbers]");
    slider.max = steps.length - 1;
    policy.append(element("option", { value: "student" }, "of the student"));
    if (data.teacher) policy.append(element("option", { value: "teacher" }, "of the teacher"));
    programs.forEach((_, m) => policy.append(element("option", { value: m }, "of " + nameOf(m))));
    const probabilities = s =>
      policy.value === "student" ? s.student : policy.value === "teacher" ? s.teacher_probs : s.programs[policy.value];

    const groups = [...root.querySelectorAll("[data-edges] > g")];
    const circles = [...root.querySelectorAll("circle[data-node]")];
    const rows = [...root.querySelectorAll("[data-row]")];
    const sources = [...root.querySelectorAll("[data-program]")];
    const firstVisit = new Map(); // node to the step that visits it
    steps.forEach((s, i) => { if (!firstVisit.has(s.action)) firstVisit.set(s.action, i); });
    const before = data.actions.slice(0, data.actions.length - steps.length); // nodes before the first step

    function drawOverlay(s) {
      const overlay = find("[data-overlay]");
      overlay.replaceChildren();
      const [x, y] = place(s.from);
      if (decided(s)) {
        const p = probabilities(s) || [];
        s.candidates.forEach((c, k) => {
          if (!(p[k] > 0)) return;
          const [cx, cy] = place(c);
          const halo = shape("circle", { class: "halo", cx, cy, r: radius + 4 * Math.sqrt(p[k]) });
          halo.append(shape("title", {}, "node " + label(c) + ": " + percent(p[k]) + " %"));
          overlay.append(halo);
        });
        if (parts(s)) {
          const [tx, ty] = place(s.teacher_first);
          overlay.append(shape("line", { class: "would", x1: x, y1: y, x2: tx, y2: ty }));
        }
      }
      overlay.append(shape("circle", { class: "here", cx: x, cy: y, r: 2 * radius + 0.5 }));
    }

    function drawLabels(s) {
      const labels = find("[data-labels]");
      labels.replaceChildren();
      if (numbers.value === "none") return;
      if (numbers.value === "steps") {
        steps.forEach((e, i) => {
          if (N > 120 && Math.abs(i - at) > 10) return;
          const [ax, ay] = place(e.from), [bx, by] = place(e.action);
          labels.append(shape("text", { x: (ax + bx) / 2 + 0.8, y: (ay + by) / 2 - 0.8 }, e.step));
        });
        return;
      }
      const near = new Set([s.from, s.action, ...(s.candidates || []).map(target)]);
      for (let c = 0; c < N; c++) {
        if (N > 120 && !near.has(c)) continue; // all numbers of a large instance would hide it
        const [x, y] = place(c);
        labels.append(shape("text", { x: x + radius + 0.3, y: y - radius }, label(c)));
      }
    }

    function words(s) {
      if (s.via) return "The second half of a way by the depot: the step before decided it.";
      if (!decided(s)) return "There was only one node to go to: nothing was decided.";
      const out = [];
      out.push("The student gives node " + label(s.candidates[s.chosen]) + " " + percent(s.student[s.chosen]) + " %" +
        (s.choice_tie ? ", a tie with its second choice." : ".") +
        (s.rank ? s.nearest ? " It is the nearest candidate." : " It is number " + s.rank + " by distance." : ""));
      if (s.second < 0) out.push(nameOf(s.leader) + " is the only program.");
      else if (s.leader_tie) {
        out.push("No program leads: " + nameOf(s.leader) + " and " + nameOf(s.second) +
          " have equal weights, to less than a point.");
      } else {
        out.push(nameOf(s.leader) + " leads with " + percent(s.weights[s.leader]) + " % of the weight, ahead of " +
          nameOf(s.second) + " by " + percent(s.margin) + " points.");
      }
      out.push(s.agree + " of " + programs.length + " programs would choose the same by themselves.");
      if (data.teacher) {
        out.push(parts(s) ? "The teacher would go to " + label(s.teacher_first) + "." : "The teacher would do the same.");
      }
      return out.join(" ");
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
        const button = element("button", { type: "button", "data-select": m, "aria-pressed": m === selected }, nameOf(m));
        const bar = element("span", { class: "bar " + colour[m] + (tie ? " tie" : "") });
        bar.style.width = 100 * s.weights[m] + "%";
        body.append(element("tr", {}, element("th", { scope: "row" }, button),
          element("td", {}, percent(s.weights[m]) + " %" + (tie ? " tie" : "")),
          element("td", {}, "→ " + label(s.firsts[m])), element("td", {}, bar)));
      }
      const heads = ["Program", "Weight", "Would go", "Bar"].map(h => element("th", { scope: "col" }, h));
      into.replaceChildren(element("table", { class: "weights" }, element("thead", {}, element("tr", {}, ...heads)), body));
    }

    function drawWhy(s) {
      const into = find("[data-why]");
      into.replaceChildren();
      if (!decided(s) || s.second < 0) return;
      into.append(element("h3", {}, "Why the router prefers " + nameOf(s.leader) + " to " + nameOf(s.second)));
      if (!s.reasons) {
        into.append(element("p", {}, "This router is a network: it has no reasons that can be read."));
        return;
      }
      const list = element("ul", { class: "reasons" });
      for (const r of s.reasons) {
        list.append(element("li", {}, (r.weight > 0 ? "+" : "−") + Math.abs(r.weight).toFixed(2) + ": " + r.says));
      }
      const other = s.other_reasons || 0;
      list.append(element("li", {}, (other < 0 ? "−" : "+") + Math.abs(other).toFixed(2) + ": all other terms"));
      if (s.leader_tie) into.append(element("p", {}, "They are so close that these reasons decide little."));
      into.append(list);
    }

    function drawTerms(s) {
      const into = find("[data-terms]");
      into.replaceChildren();
      if (!decided(s) || !s.terms) return;
      const body = element("tbody");
      for (const t of s.terms) {
        const row = [t.name, t.chosen.toFixed(3), t.other.toFixed(3), (t.chosen - t.other).toFixed(3)];
        body.append(element("tr", {}, element("th", { scope: "row" }, row[0]), ...row.slice(1).map(v => element("td", {}, v))));
      }
      const heads = ["Term", "Choice", "Next best", "Difference"].map(h => element("th", { scope: "col" }, h));
      into.append(element("h3", {}, "Terms of " + nameOf(s.leader) + " at this step"),
        element("div", { class: "player-scroll", tabindex: 0, role: "region", "aria-label": "Terms" },
          element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body)));
    }

    function drawCandidates(s) {
      const into = find("[data-candidates]"), left = find("[data-left]");
      left.textContent = "";
      if (!decided(s)) {
        into.replaceChildren(element("p", {}, "There were no candidates to choose from."));
        return;
      }
      if (s.left_out) left.textContent = s.left_out + " candidates that no policy gives much are left out.";
      const columns = [["Student", s.student]];
      if (s.teacher_probs) columns.push(["Teacher", s.teacher_probs]);
      programs.forEach((p, m) => columns.push([p.label, s.programs[m]]));
      const order = s.candidates.map((_, k) => k).sort((a, b) => s.student[b] - s.student[a] || a - b);
      const body = element("tbody");
      for (const k of order) {
        const c = s.candidates[k], row = element("tr", k === s.chosen ? { class: "chosen" } : {});
        row.append(element("th", { scope: "row" }, label(c) + (k === s.chosen ? " ← chosen" : "") +
          (c === s.teacher_first && k !== s.chosen ? " ← teacher" : "")));
        for (const [, p] of columns) {
          const cell = element("td", { class: "p" }, percent(p[k]));
          cell.style.setProperty("--share", 40 * p[k] + "%");
          row.append(cell);
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
        const mine = Number(d.dataset.program) === m;
        d.hidden = !mine;
        if (mine) d.open = true;
      }
    }

    function show(i, scroll = true) {
      at = Math.max(0, Math.min(steps.length - 1, i));
      const s = steps[at];
      slider.value = at;
      slider.setAttribute("aria-valuetext", "step " + s.step + ", to node " + label(s.action));
      groups.forEach((g, k) => {
        g.classList.toggle("later", k > at);
        g.classList.toggle("current", k === at);
      });
      const visited = new Set([...before, ...steps.slice(0, at).map(x => x.action)]);
      circles.forEach((c, k) => c.classList.toggle("visited", visited.has(k)));
      rows.forEach((r, k) => {
        r.classList.toggle("now", k === at);
        if (k === at) r.setAttribute("aria-current", "step"); else r.removeAttribute("aria-current");
      });
      const now = rows[at], box = now.closest(".player-scroll");
      if (scroll) box.scrollTop = Math.max(0, now.offsetTop - box.clientHeight / 2);
      find("[data-title]").textContent = "Step " + s.step + ": from " + label(s.from) + " to " + label(s.action);
      find("[data-words]").textContent = words(s);
      drawOverlay(s);
      drawLabels(s);
      drawWeights(s);
      drawWhy(s);
      drawTerms(s);
      drawCandidates(s);
      drawCode();
    }

    function say(text) { find("[data-words]").textContent = text + " " + words(steps[at]); }

    // seek shows the next step of a kind, from the first again after the last.
    function seek(wanted, none) {
      for (let k = 1; k <= steps.length; k++) {
        const i = (at + k) % steps.length;
        if (wanted(steps[i])) {
          show(i);
          if (k === steps.length) say("This is the only such step.");
          return;
        }
      }
      say(none);
    }

    const actions = {
      first: () => show(0), last: () => show(steps.length - 1), back: () => show(at - 1), next: () => show(at + 1),
      parted: () => seek(parts, data.teacher ? "There is no disagreement." : "No teacher was asked."),
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
      if (event.target.closest("select")) return;
      event.preventDefault();
      actions[keys[event.key]]();
    });
    root.addEventListener("click", event => {
      const on = selector => event.target.closest(selector);
      const button = on("[data-do]"), choice = on("[data-select]"), circle = on("circle[data-node]"), row = on("[data-row]");
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
      } else if (circle && firstVisit.has(Number(circle.dataset.node))) show(firstVisit.get(Number(circle.dataset.node)));
      else if (row) show(Number(row.dataset.row), false);
    });
    slider.addEventListener("input", () => show(Number(slider.value)));
    policy.addEventListener("change", () => show(at));
    numbers.addEventListener("change", () => show(at));

    for (const r of rows) {
      r.classList.add("live");
      const head = r.querySelector("th");
      head.replaceChildren(element("button", { type: "button", "aria-label": "Show step " + head.textContent },
        head.textContent));
    }
    const code = find("[data-code]");
    sources.forEach(d => code.append(d));
    for (const selector of [".player-controls", ".player-panel", ".player-more"]) find(selector).hidden = false;
    show(0);
  }

  const players = [...document.querySelectorAll("section.player")];
  players.forEach(start);
  if (document.body.classList.contains("player-page") && players.length > 0) players[0].focus({ preventScroll: true });
})();
