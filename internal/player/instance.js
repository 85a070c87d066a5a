// An instance is { problem, name, first, coords, demand, capacity, metric, lo, span, seen }, with the meaning of the
// fields of the same names in package explain. Errors are for the reader.

const numeral = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function readNumber(field, line) {
  if (!numeral.test(field)) throw new Error("line " + line + ": “" + field + "” is no number");
  return Number(field);
}

// readInstance reads a CSV of points, TSPLIB's or CVRPLIB's format, as package instances does. The capacity is that of
// a vehicle, for a CSV with demands; 0 where none is given.
const readInstance = (text, name, capacity) => scaled(readNodes(text, name, capacity));

// readNodes is readInstance without what needs two nodes or more: lo, span and seen.
function readNodes(text, name, capacity) {
  const lines = linesOf(text);
  if (firstOf(lines) === undefined) throw new Error("there are no nodes");
  return isLibrary(text) ? readLibrary(lines, name) : readPoints(lines, name, capacity);
}

const linesOf = text => text.replace(/^\uFEFF/, "").split(/\r?\n/);
const firstOf = lines => lines.find(l => l.trim() !== "" && !l.trim().startsWith("#"));

// isLibrary tells a text in TSPLIB's or CVRPLIB's format from a CSV.
function isLibrary(text) {
  const first = firstOf(linesOf(text)) ?? "";
  return first.includes(":") || /^[A-Z_]+\s*$/.test(first);
}

// scaled adds the places in the unit square.
function scaled(at) {
  const given = at.coords.length / 2, least = at.problem === "tsp" ? 3 : 2;
  if (given < least) throw new Error("there " + (given === 1 ? "is one node" : "are two nodes") + " only: give " +
    (least === 3 ? "three" : "two") + " or more");
  if (at.coords.some(v => Math.abs(v) > 1e12)) throw new Error("a coordinate is larger than 1e12");
  const lo = [Infinity, Infinity], hi = [-Infinity, -Infinity];
  at.coords.forEach((v, i) => { lo[i % 2] = Math.min(lo[i % 2], v); hi[i % 2] = Math.max(hi[i % 2], v); });
  const span = Math.max(hi[0] - lo[0], hi[1] - lo[1]);
  if (span === 0) throw new Error("all nodes lie in one place");
  const keep = at.unit && Math.min(...lo) >= 0 && Math.max(...hi) <= 1 && span >= 0.25;
  at.lo = keep ? [0, 0] : lo;
  at.span = keep ? 1 : span;
  at.seen = at.coords.map((v, i) => Math.fround((v - at.lo[i % 2]) / at.span));
  return at;
}

const labels = ["", "id", "name", "node", "city", "customer", "label"];
const onSphere = ["lat", "lon", "lng", "long", "latitude", "longitude"];

// readPoints reads a CSV: x,y or x,y,demand, with a line of names or without. The first of nodes with demands is the
// depot.
function readPoints(lines, name, capacity) {
  let separator, columns, x = 0, y = 1, load = -1;
  const coords = [], demand = [];
  const split = line => (separator === " " ? line.trim().split(/\s+/) : line.split(separator)).map(
    f => f.trim().replace(/^"|"$/g, "").trim().toLowerCase());
  lines.forEach((text, i) => {
    if (text.trim() === "" || text.trim().startsWith("#")) return;
    const line = i + 1;
    if (separator === undefined) separator = [";", ",", "\t"].find(c => text.includes(c)) || " ";
    const fields = split(text);
    if (columns === undefined) {
      columns = fields.length;
      if (fields.some(f => f !== "" && !numeral.test(f))) {
        for (const f of fields) {
          if (onSphere.includes(f)) throw new Error("line " + line + ": column " + f + ": the student sees a plane, " +
            "not a sphere; project the points to x and y first");
          if (!["x", "y", "demand", "demands", "load", ...labels].includes(f)) {
            throw new Error("line " + line + ": column “" + f + "” is not known, want x, y and, with a capacity, " +
              "demand");
          }
        }
        x = fields.indexOf("x");
        y = fields.indexOf("y");
        load = fields.findIndex(f => ["demand", "demands", "load"].includes(f));
        if (x < 0 || y < 0) throw new Error("line " + line + ": the names want x and y among them");
        return;
      }
      if (columns > 3 || columns < 2) {
        throw new Error("line " + line + ": " + columns + " columns without names, want x, y and, with a capacity, " +
          "a demand");
      }
      if (columns === 3) load = 2;
    }
    if (fields.length !== columns) {
      throw new Error("line " + line + ": " + fields.length + " columns, want " + columns + " as before");
    }
    coords.push(readNumber(fields[x], line), readNumber(fields[y], line));
    if (load >= 0) {
      const depot = coords.length === 2;
      const d = depot && fields[load] === "" ? 0 : readNumber(fields[load], line);
      demand.push(readDemand(d, depot, capacity, line));
    }
  });
  if (load >= 0 && !(capacity > 0)) throw new Error("the points have demands: give the capacity of a vehicle");
  if (load < 0) return { problem: "tsp", name, first: 1, coords, metric: "EUCLIDEAN", unit: true };
  return { problem: "cvrp", name, first: 0, coords, demand, capacity, metric: "EUCLIDEAN", unit: true };
}

function readDemand(d, depot, capacity, line) {
  if (depot && d !== 0) {
    throw new Error("line " + line + ": the first node is the depot: its demand is " + d + ", want 0");
  }
  if (!depot && (!(d >= 1) || d !== Math.trunc(d))) {
    throw new Error("line " + line + ": the demand is " + d + ", want a whole number from 1");
  }
  if (capacity > 0 && d > capacity) {
    throw new Error("line " + line + ": the demand " + d + " is above the capacity " + capacity);
  }
  return d;
}

// lengths are the metrics whose edges are measured in the plane: the length of an edge by its square in the plane.
const lengths = {
  EUCLIDEAN: d2 => Math.sqrt(d2), EUC_2D: d2 => Math.floor(Math.sqrt(d2) + 0.5),
  CEIL_2D: d2 => Math.ceil(Math.sqrt(d2)),
  ATT: d2 => {
    const r = Math.sqrt(d2 / 10), whole = Math.floor(r + 0.5);
    return whole < r ? whole + 1 : whole;
  },
};
const roundings = {
  EUCLIDEAN: "nothing is rounded", EUC_2D: "each edge is rounded to the nearest whole number",
  CEIL_2D: "each edge is rounded up to a whole number", ATT: "each edge is rounded up to a whole number",
};

// readLibrary reads a file of TSPLIB or CVRPLIB. Metrics that do not measure a plane are refused by their names.
function readLibrary(lines, name) {
  const fields = {}, sections = {};
  let section = null, ended = false;
  lines.forEach((text, i) => {
    const line = text.trim();
    if (line === "" || ended) return;
    if (line === "EOF") { ended = true; return; }
    if (!/^[A-Za-z]/.test(line)) {
      if (section === null) throw new Error("line " + (i + 1) + ": numbers outside of any section");
      section.push({ line: i + 1, values: line.split(/\s+/) });
      return;
    }
    const [key, ...value] = line.split(":");
    if (key.trim().endsWith("_SECTION")) {
      section = sections[key.trim()] = [];
    } else {
      section = null;
      fields[key.trim()] = value.join(":").trim();
    }
  });
  const metric = fields.EDGE_WEIGHT_TYPE || "EUC_2D";
  if (!Object.hasOwn(lengths, metric) || metric === "EUCLIDEAN") {
    throw new Error("EDGE_WEIGHT_TYPE " + metric + " is not solved on this page: the student sees places in a plane; " +
      "want EUC_2D, CEIL_2D or ATT");
  }
  const n = Number(fields.DIMENSION);
  if (!(n >= 2) || n !== Math.trunc(n)) throw new Error("DIMENSION is missing, or no whole number from 2");
  const table = (key, width) => {
    const out = new Array(n * width), seen = new Set();
    for (const { line, values } of sections[key] || []) {
      const id = Number(values[0]);
      if (values.length !== width + 1) {
        throw new Error("line " + line + ": want an id and " + width + " numbers in " + key);
      }
      if (!(id >= 1 && id <= n) || id !== Math.trunc(id) || seen.has(id)) {
        throw new Error("line " + line + ": id " + values[0] + " in " + key + ", want each of 1 to " + n + " once");
      }
      seen.add(id);
      for (let k = 0; k < width; k++) out[(id - 1) * width + k] = readNumber(values[k + 1], line);
    }
    if (seen.size < n) throw new Error(key + " has " + seen.size + " rows, DIMENSION says " + n);
    return out;
  };
  const at = { problem: "tsp", name: fields.NAME || name, first: 1, coords: table("NODE_COORD_SECTION", 2), metric };
  if (!sections.DEMAND_SECTION && (fields.TYPE || "TSP").split(" ")[0] === "TSP") return at;
  at.problem = "cvrp";
  at.first = 0;
  at.capacity = Number(fields.CAPACITY);
  if (!(at.capacity >= 1)) throw new Error("CAPACITY is missing");
  const depots = (sections.DEPOT_SECTION || []).flatMap(r => r.values).join(" ");
  if (depots !== "1 -1") {
    throw new Error("DEPOT_SECTION holds “" + depots + "”, want 1 and -1: a depot at the first node");
  }
  at.demand = table("DEMAND_SECTION", 1);
  at.demand.forEach((d, i) => readDemand(d, i === 0, at.capacity, "of node " + (i + 1)));
  return at;
}

// costOf returns the cost of a solution by the rounding of its instance's metric.
function costOf(at, actions) {
  const length = lengths[at.metric], c = at.coords;
  let last = at.problem === "cvrp" ? 0 : actions[actions.length - 1], sum = 0;
  for (const a of at.problem === "cvrp" ? [...actions, 0] : actions) {
    if (a !== last) {
      const dx = c[2 * last] - c[2 * a], dy = c[2 * last + 1] - c[2 * a + 1];
      sum += length(dx * dx + dy * dy);
    }
    last = a;
  }
  return sum;
}
