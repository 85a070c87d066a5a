const percent = p => (100 * p).toFixed(1);
const number = v => (v < 0 ? "−" : "") + String(Number(Math.abs(v).toPrecision(3)));
const signed = v => (v <= -0.005 ? "−" : "+") + Math.abs(v).toFixed(2);
const stepCount = n => n === 0 ? "no step" : n === 1 ? "1 step" : n + " steps";
const listed = all => all.length < 2 ? all.join() : all.slice(0, -1).join(", ") + " and " + all.at(-1);

const decided = s => s.chosen >= 0;
const parts = s => decided(s) && s.teacher_first >= 0 && s.candidates[s.chosen] !== s.teacher_first;

// targetOf returns the node of a candidate of an explanation: N+j is customer j by way of the depot.
function targetOf(e, c) {
  const n = e.instance.seen.length / 2;
  return c >= n ? c - n : c;
}

// labelOf returns the number that the file gives to a node or a candidate.
function labelOf(e, c) {
  const target = targetOf(e, c);
  return (target === c ? "" : e.instance.first + "→") + (target + e.instance.first);
}

// loudest returns the program that speaks most for the choice at a step, and against the leader's own.
function loudest(s) {
  const other = s.candidates.indexOf(s.firsts[s.leader]);
  const vote = m => s.weights[m] * (s.programs[m][s.chosen] - s.programs[m][other]);
  return s.weights.map((_, m) => m).reduce((a, b) => vote(b) > vote(a) ? b : a);
}

// teacherWords says who would take the teacher's step at a step where the student would take another one.
function teacherWords(e, programs, s) {
  const like = programs.map((_, m) => m).filter(m => s.firsts[m] === s.teacher_first);
  const elsewhere = "the student would go elsewhere, and gives node ";
  if (like.length === 0) return "No program accounts for that: " + elsewhere;
  const names = listed(like.map(m => programs[m].label));
  const shares = listed(like.map(m => percent(s.weights[m]) + " %"));
  return (like.length === 1 ? "By itself " + names + " would go there; the router gave it " :
    "By themselves " + names + " would go there; the router gave them ") + shares + ". But " + elsewhere;
}

// words says what was decided at a step of an explanation, and who decided it.
function words(e, programs, s) {
  if (s.via) return "The second half of a way by the depot: the step before decided it.";
  if (!decided(s)) return "There was only one node to go to: nothing was decided.";
  const out = [], label = c => labelOf(e, c), nameOf = m => programs[m].label + " " + programs[m].name;
  const along = e.along_teacher && parts(s), chosen = label(s.candidates[s.chosen]);
  const taken = along ? s.teacher_first : s.candidates[s.chosen];
  const where = e.problem === "cvrp" && taken === 0 ? " It is the depot." : !s.rank ? "" :
    s.nearest ? " It is the nearest candidate." : " It is number " + s.rank + " by distance.";
  const gives = chosen + " " + percent(s.student[s.chosen]) + " %" +
    (s.choice_tie ? ", a tie with its second choice." : ".");
  if (along) {
    out.push("The teacher went to node " + label(taken) + "." + where + " " + teacherWords(e, programs, s) + gives);
  } else out.push("The student gives node " + gives + where);
  if (s.second < 0) out.push(nameOf(s.leader) + " is the only program.");
  else if (s.leader_tie) {
    out.push("No program leads: " + nameOf(s.leader) + " and " + nameOf(s.second) +
      " have equal weights, to less than a point.");
  } else {
    out.push(nameOf(s.leader) + " leads with " + percent(s.weights[s.leader]) + " % of the weight, ahead of " +
      nameOf(s.second) + " by " + percent(s.margin) + " points.");
  }
  const own = s.firsts[s.leader];
  if (own !== s.candidates[s.chosen]) {
    out.push("By itself " + programs[s.leader].label + " would go to " + label(own) + ": the others outvote it, " +
      programs[loudest(s)].label + " most.");
  }
  out.push(s.agree + " of " + programs.length + " programs would choose " + (along ? chosen : "the same") +
    " by themselves.");
  if (s.without_leader >= 0) {
    out.push("Without its leader the student would " + (s.without_leader !== s.candidates[s.chosen] ?
      "go to " + label(s.without_leader) + "." : along ? "still go to " + chosen + "." : "do the same."));
  }
  if (e.teacher && !along) {
    out.push(s.teacher_first < 0 ? "The teacher decides nothing at this step." :
      parts(s) ? "The teacher would go to " + label(s.teacher_first) + "." :
        e.along_teacher ? "The teacher did the same." : "The teacher would do the same.");
  }
  return out.join(" ");
}

// why returns what is shown of the reasons for the leader of a step, which explain.Explanation.Trim has chosen: the sum
// of all of them, those that are shown, and the sum of the others.
function why(s) {
  const sum = terms => (terms || []).reduce((a, term) => a + term.weight, 0);
  const all = sum(s.reasons) + (s.other_reasons || 0), shown = s.reason_groups || s.reasons || [];
  return { all, shown, others: all - sum(shown) };
}

// manyReasons says that the reasons that are shown tell less than half of the whole.
const manyReasons = (s, all) =>
  "It cannot be read in a few terms: " + (s.reason_count || "many") + " add up to " + signed(all) + ".";
