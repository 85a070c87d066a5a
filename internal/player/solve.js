// topTwo returns the indices of the two largest values, the first of equal ones.
function topTwo(p) {
  let first = 0, second = -1;
  for (let k = 1; k < p.length; k++) {
    if (p[k] > p[first]) [first, second] = [k, first];
    else if (second < 0 || p[k] > p[second]) second = k;
  }
  return [first, second];
}

// leaveOut returns weights without that of program m. If all others are 0, they get equal weights.
function leaveOut(weights, m) {
  const left = Float32Array.from(weights, (w, j) => j === m ? 0 : w);
  return Math.max(...left) > 0 ? left : left.map((_, j) => j === m ? 0 : 1 / (left.length - 1));
}

const nearTie = 0.01;       // routing.Tie
const mostCandidates = 12;  // of a step that are kept

// explaining solves an instance by a Solver of package export and explains it like package explain, without reasons and
// terms. It yields after each step and returns the explanation.
function* explaining(solver, student, at) {
  const what = { tsp: "tours", cvrp: "routes with demands" };
  if (at.problem !== solver.problem) {
    throw new Error("the student makes " + what[solver.problem] + ", these nodes are for " + what[at.problem]);
  }
  const depot = at.problem === "cvrp", list = [], actions = [];
  const [x, y] = [0, 1].map(axis => at.seen.filter((_, i) => i % 2 === axis));
  const length = (i, j) => Math.hypot(at.seen[2 * i] - at.seen[2 * j], at.seen[2 * i + 1] - at.seen[2 * j + 1]);
  for (const d of solver.steps({ x, y, demand: at.demand, capacity: at.capacity, unit: true })) {
    if (!depot && actions.length === 0) actions.push(solver.first); // which the start rule named
    const step = actions.length;
    d.from = step > 0 ? actions[step - 1] : 0;
    actions.push(d.node);
    list.push(d.candidates ? decided(d, step) : {
      step, action: d.node, prob: 1, leader: -1, weights: null, margin: 0, agree: 0, nearest: true, forced: true,
      from: d.from, chosen: -1, second: -1, without_leader: -1, teacher_first: -1,
    });
    yield;
  }
  function decided(d, step) {
    const [k, next] = topTwo(d.mixture), [leader, second] = topTwo(d.weights);
    const firsts = d.proposals.map(Vm => topTwo(Vm)[0]);
    const best = Array.from(d.candidates, (_, i) => d.proposals.reduce((p, Vm) => Math.max(p, Vm[i]), d.mixture[i]));
    best[k] = best[firsts[leader]] = 2; // these are kept: more than any probability
    const keep = best.map((_, i) => i).sort((a, b) => best[b] - best[a] || a - b)
      .slice(0, mostCandidates).sort((a, b) => a - b);
    const pick = x => keep.map(i => x[i]);
    // The rank by distance; the depot is the last.
    const customers = Array.from(d.candidates).filter(c => !depot || c !== 0), home = depot && d.node === 0;
    const own = length(d.from, d.node), closer = customers.filter(c => length(d.from, c) < own).length;
    const left = leaveOut(d.weights, leader);
    const mixture = d.mixture.map((_, i) => d.proposals.reduce((p, Vm, m) =>
      Math.fround(p + Math.fround(left[m] * Vm[i])), 0));
    const without = student.routing === "hard" ? firsts[second] : topTwo(mixture)[0];
    const margin = second < 0 ? 1 : Math.fround(d.weights[leader] - d.weights[second]);
    return {
      rank: home ? d.candidates.length : 1 + closer, nearest: !home && closer === 0,
      step, action: d.node, from: d.from, prob: d.mixture[k], leader, second, weights: Array.from(d.weights), margin,
      forced: false, agree: firsts.filter(f => f === k).length, candidates: pick(d.candidates),
      left_out: d.candidates.length - keep.length, chosen: keep.indexOf(k), student: pick(d.mixture),
      programs: d.proposals.map(pick), firsts: firsts.map(f => d.candidates[f]), teacher_first: -1,
      without_leader: second < 0 ? -1 : d.candidates[without],
      leader_tie: second >= 0 && margin < nearTie, choice_tie: d.mixture[k] - d.mixture[next] < nearTie,
    };
  }
  return {
    problem: at.problem, own: true, instance: { ...at, rounding: roundings[at.metric] }, student, actions, steps: list,
    cost: { rounded: costOf(at, actions) },
    start: depot ? "The student chooses the first customer." :
      student.start_rule + " This tour begins at node " + (actions[0] + at.first) + ".",
  };
}
