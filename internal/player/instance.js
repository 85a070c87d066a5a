// An instance is { problem, name, first, coords, demand, capacity, metric, lo, span, seen }, with the meaning of the
// fields of the same names in package explain. Errors are for the reader.

const numeral = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function readNumber(field, line) {
  if (!numeral.test(field)) throw new Error("line " + line + ": “" + field + "” is no number");
  return Number(field);
}

// readInstance reads a CSV of points, TSPLIB's or CVRPLIB's format, as package instances does. The capacity is that of
// a vehicle, for a CSV with demands; 0 where none is given, null where the student makes tours.
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

// layoutOf returns how the lines of a CSV are laid out: what separates its columns, how many there are, and which of
// them hold x, y and the demand (load, -1 without one). nodes are the lines of nodes, { line, fields }. The capacity is
// readInstance's.
function layoutOf(lines, capacity) {
  const rows = lines.map((text, i) => ({ line: i + 1, text })).filter(
    ({ text }) => text.trim() !== "" && !text.trim().startsWith("#"));
  if (rows.length === 0) {
    const columns = capacity === null ? 2 : 3;
    return { separator: ",", columns, x: 0, y: 1, load: columns === 3 ? 2 : -1, nodes: [] };
  }
  const separator = [";", ",", "\t"].find(c => rows[0].text.includes(c)) || " ";
  const nodes = rows.map(({ line, text }) => {
    const fields = separator === " " ? text.trim().split(/\s+/) : text.split(separator);
    return { line, fields: fields.map(f => f.trim().replace(/^"|"$/g, "").trim().toLowerCase()) };
  });
  const { line, fields } = nodes[0], columns = fields.length;
  let x = 0, y = 1, load = -1;
  if (fields.some(f => f !== "" && !numeral.test(f))) {
    for (const f of fields) {
      if (onSphere.includes(f)) throw new Error("line " + line + ": column " + f + ": the student sees a plane, " +
        "not a sphere; project the points to x and y first");
      if (!["x", "y", "demand", "demands", "load", ...labels].includes(f)) {
        throw new Error("line " + line + ": column “" + f + "” is not known, want x, y and, with a capacity, demand");
      }
    }
    x = fields.indexOf("x");
    y = fields.indexOf("y");
    load = fields.findIndex(f => ["demand", "demands", "load"].includes(f));
    if (x < 0 || y < 0) throw new Error("line " + line + ": the names want x and y among them");
    nodes.shift();
  } else if (columns > 3 || columns < 2) {
    throw new Error("line " + line + ": " + columns + " columns without names, want x, y and, with a capacity, a " +
      "demand");
  } else if (columns === 3) {
    load = 2;
  }
  if (load >= 0 && capacity === null) throw new Error("the student makes tours, and these nodes have demands");
  return { separator, columns, x, y, load, nodes };
}

// lineOf writes a node as a line of a CSV. Columns that only name the nodes hold its number.
function lineOf(layout, x, y, demand) {
  const fields = new Array(layout.columns).fill(layout.nodes.length + 1);
  fields[layout.x] = x;
  fields[layout.y] = y;
  if (layout.load >= 0) fields[layout.load] = demand;
  return fields.join(layout.separator);
}

// readPoints reads a CSV: x,y or x,y,demand, with a line of names or without. The first of nodes with demands is the
// depot.
function readPoints(lines, name, capacity) {
  const { columns, x, y, load, nodes } = layoutOf(lines, capacity), coords = [], demand = [];
  if (nodes.length === 0) throw new Error("no points follow the line of names");
  for (const { line, fields } of nodes) {
    if (fields.length !== columns) {
      throw new Error("line " + line + ": " + fields.length + " columns, want " + columns + " as before");
    }
    coords.push(readNumber(fields[x], line), readNumber(fields[y], line));
    if (load >= 0) {
      const depot = coords.length === 2;
      const d = depot && fields[load] === "" ? 0 : readNumber(fields[load], line);
      demand.push(readDemand(d, depot, capacity, line));
    }
  }
  if (load >= 0 && !(capacity > 0)) throw new Error("the points have demands: give the capacity of a vehicle");
  if (load < 0) return { problem: "tsp", name, first: 1, coords, metric: "EUCLIDEAN", unit: true };
  return { problem: "cvrp", name, first: 0, coords, demand, capacity, metric: "EUCLIDEAN", unit: true };
}

function readDemand(d, depot, capacity, line) {
  if (depot && d !== 0) {
    throw new Error("line " + line + ": the first node is the depot: its demand is " + d + ", want 0");
  }
  if (!depot && (!(d >= 0) || d !== Math.trunc(d))) {
    throw new Error("line " + line + ": the demand is " + d + ", want a whole number, at least 0");
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

// limits are the fields that would make another problem of a file's.
const limits = ["DISTANCE", "SERVICE_TIME", "VEHICLES", "EDGE_DATA_FORMAT"];

// sectionsOf are the sections that a file may have, by its TYPE.
const sectionsOf = {
  TSP: ["NODE_COORD_SECTION", "DISPLAY_DATA_SECTION", "EDGE_WEIGHT_SECTION"],
  CVRP: ["NODE_COORD_SECTION", "DISPLAY_DATA_SECTION", "EDGE_WEIGHT_SECTION", "DEMAND_SECTION", "DEPOT_SECTION"],
};

// specOf divides the lines of a file of TSPLIB or CVRPLIB into fields, { KEY: value }, and sections,
// { KEY: [{ line, values }] }. found holds the line of each.
function specOf(lines) {
  const fields = {}, sections = {}, found = new Map();
  let section = null, ended = 0;
  lines.forEach((text, i) => {
    const line = text.trim(), where = "line " + (i + 1) + ": ";
    if (line === "") return;
    if (ended > 0) throw new Error(where + "text after the EOF of line " + ended);
    if (line === "EOF") { ended = i + 1; return; }
    if (!/^[A-Za-z]/.test(line)) {
      if (section === null) throw new Error(where + "numbers outside of any section");
      section.push({ line: i + 1, values: line.split(/\s+/) });
      return;
    }
    const [head, ...value] = line.split(":"), key = head.trim();
    if (found.has(key) && key !== "COMMENT") {
      throw new Error(where + key + " appears twice, first in line " + found.get(key));
    }
    found.set(key, i + 1);
    if (key.endsWith("_SECTION")) {
      section = sections[key] = [];
    } else {
      if (!line.includes(":")) {
        throw new Error(where + "“" + line + "” is neither KEY : VALUE, a section nor numbers");
      }
      section = null;
      fields[key] = value.join(":").trim();
    }
  });
  return { fields, sections, found };
}

// readLibrary reads a file of TSPLIB or CVRPLIB. Metrics that do not measure a plane are refused by their names.
function readLibrary(lines, name) {
  const { fields, sections, found } = specOf(lines), where = key => "line " + found.get(key) + ": ";
  for (const key of limits) {
    if (found.has(key)) throw new Error(where(key) + key + " is not supported");
  }
  const type = fields.TYPE;
  if (!type) throw new Error("TYPE is missing");
  if (!Object.hasOwn(sectionsOf, type)) {
    throw new Error(where("TYPE") + "TYPE " + type + " is not supported, want one of TSP, CVRP");
  }
  for (const key of Object.keys(sections)) {
    if (!sectionsOf[type].includes(key)) {
      throw new Error(where(key) + "section " + key + " is not supported with TYPE " + type);
    }
  }
  const metric = fields.EDGE_WEIGHT_TYPE;
  if (!metric) throw new Error("EDGE_WEIGHT_TYPE is missing");
  if (!Object.hasOwn(lengths, metric) || metric === "EUCLIDEAN") {
    throw new Error("EDGE_WEIGHT_TYPE " + metric + " is not solved on this page: the student sees places in a plane; " +
      "want EUC_2D, CEIL_2D or ATT");
  }
  if (sections.EDGE_WEIGHT_SECTION) {
    throw new Error(where("EDGE_WEIGHT_SECTION") + "edge weights although EDGE_WEIGHT_TYPE is " + metric);
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
  if (type === "TSP") return at;
  at.problem = "cvrp";
  at.first = 0;
  at.capacity = Number(fields.CAPACITY);
  if (!(at.capacity >= 1) || at.capacity !== Math.trunc(at.capacity)) {
    throw new Error("CAPACITY is missing, or no whole number from 1");
  }
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
